#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <lass0/error.hpp>
#include <mutex>
#include <utility>

namespace lass0::io {
namespace {

// What the signal handler may look at. More files than this are read instead of mapped.
struct Guard {
  std::atomic<std::uintptr_t> first = 0, last = 0;  // 0, 0: free
  std::atomic<bool> failed = false;                 // a part of it was not there
};
std::array<Guard, 16> guards;

std::mutex in_use;  // of what follows
int mapped_files = 0;
struct sigaction handler_before = {};
std::uintptr_t page_size = 0;

// Puts zeros in place of the rest of the file, so that the reader goes on and can be told. Only
// calls that are allowed in a signal handler.
void replace_missing_pages(int, siginfo_t* info, void*) {
  const int error_before = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (Guard& guard : guards) {
    if (address < guard.first || address >= guard.last) continue;
    const std::uintptr_t page = address - address % page_size;
    void* const zeros = mmap(reinterpret_cast<void*>(page), guard.last - page, PROT_READ,  // NOLINT
                             MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
    if (zeros == MAP_FAILED) break;
    guard.failed = true;
    errno = error_before;
    return;
  }
  // None of ours: the same instruction, or the signal that was sent, meets the handler before.
  sigaction(SIGBUS, &handler_before, nullptr);
  if (info->si_code <= 0) raise(SIGBUS);
  errno = error_before;
}

std::optional<std::size_t> take_guard(const char* data, std::size_t size) {
  const std::lock_guard lock(in_use);
  std::size_t free = 0;
  while (free < guards.size() && guards[free].last != 0) ++free;
  if (free == guards.size()) return {};
  if (mapped_files++ == 0) {
    page_size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction handler = {};
    handler.sa_sigaction = replace_missing_pages;
    handler.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &handler, &handler_before);
  }
  guards[free].failed = false;
  guards[free].first = reinterpret_cast<std::uintptr_t>(data);
  guards[free].last = reinterpret_cast<std::uintptr_t>(data) + size;
  return free;
}

void give_back(std::size_t guard) {
  const std::lock_guard lock(in_use);
  guards[guard].last = 0;
  guards[guard].first = 0;
  if (--mapped_files == 0) sigaction(SIGBUS, &handler_before, nullptr);
}

}  // namespace

std::optional<MappedFile> MappedFile::map(int file, std::size_t size) {
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return {};
  void* const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, own, 0);
  if (mapped == MAP_FAILED) {
    close(own);
    return {};
  }
  const char* const data = static_cast<const char*>(mapped);
  const std::optional<std::size_t> guard = take_guard(data, size);
  if (!guard) {
    munmap(mapped, size);
    close(own);
    return {};
  }
  madvise(mapped, size, MADV_SEQUENTIAL);
  return MappedFile(data, size, own, *guard);
}

MappedFile::~MappedFile() {
  if (!data_) return;
  give_back(guard_);
  munmap(const_cast<char*>(data_), size_);
  close(file_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(other.size_),
      file_(other.file_),
      guard_(other.guard_) {}

void MappedFile::expect_many_reads() const {
  madvise(const_cast<char*>(data_), size_, MADV_NORMAL);
}

void MappedFile::check(const std::string& source) const {
  struct stat info = {};
  // The end of the last page reads as zeros without any signal: the size tells.
  const bool shorter = fstat(file_, &info) == 0 && static_cast<std::uint64_t>(info.st_size) < size_;
  if (shorter || guards[guard_].failed) {
    throw Error(
        fmt::format("{}: the file {} while it was read; try again when no program changes it",
                    source, shorter ? "became shorter" : "could not be read to its end"));
  }
}

}  // namespace lass0::io
