// CRC-32 as zip and gzip use it (polynomial 0xEDB88320), in pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace plica {

// Continues `crc` (0 at the start) over `size` bytes.
inline std::uint32_t crc32(const void* data, std::size_t size, std::uint32_t crc = 0) {
    // Slicing by four: table[k][b] is the effect of byte b followed by k zero bytes.
    static const auto table = [] {
        std::array<std::array<std::uint32_t, 256>, 4> t{};
        for (std::uint32_t b = 0; b < 256; ++b) {
            std::uint32_t c = b;
            for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ (c & 1 ? 0xEDB88320u : 0u);
            t[0][b] = c;
        }
        for (std::size_t k = 1; k < 4; ++k)
            for (std::size_t b = 0; b < 256; ++b) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 255u];
        return t;
    }();
    const auto* bytes = static_cast<const unsigned char*>(data);
    crc = ~crc;
    for (; size >= 4; size -= 4, bytes += 4) {
        crc ^= std::uint32_t(bytes[0]) | std::uint32_t(bytes[1]) << 8 | std::uint32_t(bytes[2]) << 16 |
               std::uint32_t(bytes[3]) << 24;
        crc = table[3][crc & 255u] ^ table[2][(crc >> 8) & 255u] ^ table[1][(crc >> 16) & 255u] ^ table[0][crc >> 24];
    }
    for (; size > 0; --size, ++bytes) crc = (crc >> 8) ^ table[0][(crc ^ *bytes) & 255u];
    return ~crc;
}

}  // namespace plica
