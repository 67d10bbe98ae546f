// The three kinds of pairs that can touch.                                                    spec/solver.md, "Contact"
#pragma once

namespace plica {

enum class CandidateKind { VertexTriangle, EdgeEdge, SphereSphere };

}  // namespace plica
