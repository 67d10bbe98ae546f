// Loops over chunks whose result does not depend on the number of threads: chunk borders are fixed, each chunk runs in
// order, and what chunks yield is combined in the order of chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace plica {

class Workers {
public:
    explicit Workers(int threads) : threads_(std::max(1, threads)) {
        if (threads_ > 1) arena_ = std::make_unique<tbb::task_arena>(threads_);
    }
    int threads() const { return threads_; }

    // f(chunk, begin, end) for 0..count in chunks of `grain`.
    template <class F>
    void for_chunks(std::size_t count, std::size_t grain, F&& f) const {
        const std::size_t chunks = (count + grain - 1) / grain;
        const auto run = [&](std::size_t chunk) { f(chunk, chunk * grain, std::min(count, (chunk + 1) * grain)); };
        if (!arena_ || chunks < 2) {
            for (std::size_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
            return;
        }
        arena_->execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, chunks, 1),
                [&](const tbb::blocked_range<std::size_t>& range) {
                    for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) run(chunk);
                },
                tbb::simple_partitioner());
        });
    }

    // Sum of f(i) over 0..count, the same bits for any number of threads.
    template <class F>
    double sum(std::size_t count, std::size_t grain, F&& f) const {
        std::vector<double> partial((count + grain - 1) / grain, 0.0);
        for_chunks(count, grain, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            double s = 0;
            for (std::size_t i = begin; i < end; ++i) s += f(i);
            partial[chunk] = s;
        });
        double total = 0;
        for (double s : partial) total += s;
        return total;
    }

private:
    int threads_;
    std::unique_ptr<tbb::task_arena> arena_;
};

}  // namespace plica
