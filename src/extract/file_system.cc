#include "extract/file_system.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <sys/vfs.h>

namespace cgrep {

bool is_remote(const std::filesystem::path& path) {
  constexpr std::array<std::uint32_t, 12> kRemote = {
      0x01021997,  // 9p: Windows' drives in WSL
      0x6969,      // nfs
      0x517b,      // smb
      0xff534d42,  // cifs
      0xfe534d42,  // smb2
      0x65735546,  // fuse: sshfs and the like
      0x5346414f,  // afs
      0x6b414653,  // afs of the kernel
      0x00c36400,  // ceph
      0x0bd00bd0,  // lustre
      0x47504653,  // gpfs
      0x786f4256,  // folders of a virtual machine's host
  };
  struct statfs status = {};
  if (statfs(path.c_str(), &status) != 0) return false;
  return std::find(kRemote.begin(), kRemote.end(), static_cast<std::uint32_t>(status.f_type)) !=
         kRemote.end();
}

}  // namespace cgrep
