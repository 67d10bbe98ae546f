#include "render/unit_ball.h"

#include <array>
#include <cmath>

#include <glm/geometric.hpp>

namespace plica {

std::vector<glm::vec3> unit_ball(int level) {
    const float g = 0.5f * (1 + std::sqrt(5.0f));  // golden ratio
    const std::array<glm::vec3, 12> p{glm::vec3{-1, g, 0}, {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                      {0, -1, -g},         {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    static constexpr int faces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                         {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                         {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    std::vector<glm::vec3> corners;
    for (const auto& face : faces)
        for (int v : face) corners.push_back(glm::normalize(p[std::size_t(v)]));
    for (int i = 0; i < level; ++i) {
        std::vector<glm::vec3> finer;
        for (std::size_t t = 0; t < corners.size(); t += 3) {
            const glm::vec3 a = corners[t], b = corners[t + 1], c = corners[t + 2];
            const glm::vec3 ab = glm::normalize(a + b), bc = glm::normalize(b + c), ca = glm::normalize(c + a);
            for (const glm::vec3& v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) finer.push_back(v);
        }
        corners = std::move(finer);
    }
    return corners;
}

}  // namespace plica
