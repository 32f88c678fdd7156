// Calls of tools as the turns of a conversation keep them: protobuf, a message for each tool.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "extract/arguments.h"

namespace cgrep {

struct AgentToolCall {
  std::string_view name{};  // empty: a tool that nobody knows yet
  Arguments arguments{};
  std::string result{};  // empty: none yet
  std::string id{};
};

/// Reads an agent.v1 ToolCall.
AgentToolCall read_agent_tool(std::string_view message);

/// The same of a command that the user ran: its ShellCommand and ShellOutput.
AgentToolCall read_user_shell(std::string_view command, std::string_view output);

}  // namespace cgrep
