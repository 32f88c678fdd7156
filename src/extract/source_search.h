// Looks through folders for the sources of one store.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/store.h"

namespace cgrep {

/// In the order of their names. What it is given must live longer.
class SourceSearch {
 public:
  using Visit = std::function<void(const std::filesystem::path& folder)>;

  SourceSearch(const Store& store, Folders& folders, std::vector<Source>& found)
      : store_(store), folders_(folders), found_(found) {}

  void add(const std::filesystem::path& path, const std::filesystem::path& root);

  /// Adds the file of this name, if it is there. Returns whether it is.
  bool add_file(const std::filesystem::path& folder, std::string_view name,
                const std::filesystem::path& root);

  /// Adds the files whose names end in one of these; without any, all files.
  void add_files(const std::filesystem::path& folder, const std::filesystem::path& root,
                 std::initializer_list<std::string_view> endings = {});

  bool has_file(const std::filesystem::path& folder, std::string_view name,
                const std::filesystem::path& root);

  /// What is found depends on what this file says: its state is remembered as that of a folder is.
  void looks_into(const std::filesystem::path& file, const std::filesystem::path& root);

  void for_each_folder(const std::filesystem::path& folder, const std::filesystem::path& root,
                       const Visit& visit);

  /// Those below projects/<slug> with this name.
  void for_each_project_folder(const Roots& roots, std::string_view name,
                               const std::function<void(const std::filesystem::path& folder,
                                                        const std::filesystem::path& root)>& visit);

 private:
  const Store& store_;
  Folders& folders_;
  std::vector<Source>& found_;
};

}  // namespace cgrep
