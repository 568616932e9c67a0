// Files that are whole or not there: written beside their place and renamed into it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <lass0/error.hpp>
#include <lass0/io.hpp>
#include <optional>
#include <utility>

namespace lass0 {
namespace {

// The names of the temporary files that exist now. A signal handler reads them, so they are plain
// pointers in a fixed place; a file that finds no place is written all the same.
std::array<std::atomic<const char*>, 16> unfinished;
static_assert(std::atomic<const char*>::is_always_lock_free);

[[noreturn]] void throw_cannot_write(const std::string& path, int code) {
  if (code == ENOENT)
    throw Error(fmt::format("{}: can't be written: there is no such folder", path));
  throw Error(fmt::format("{}: can't be written: {}", path, std::strerror(code)));
}

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_cannot_write(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// gzip around a sink.
class Deflater {
 public:
  explicit Deflater(Sink to) : to_(std::move(to)), out_(std::size_t{1} << 16, '\0') {
    constexpr int window_with_gzip_header = 15 + 16, memory_level = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_with_gzip_header,
                     memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error("gzip can't be started: out of memory");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(std::string_view bytes) {
    constexpr std::size_t piece = std::size_t{1} << 30;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
      run(bytes.substr(0, piece), Z_NO_FLUSH);
  }
  void finish() { run({}, Z_FINISH); }

 private:
  void run(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      deflate(&stream_, flush);
      to_(std::string_view(out_.data(), out_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  Sink to_;
  std::string out_;
  z_stream stream_ = {};
};

void fill_descriptor(int fd, const std::string& path,
                     const std::function<void(const Sink&)>& fill) {
  const Sink plain = [&](std::string_view bytes) { write_all(fd, bytes, path); };
  if (!path.ends_with(".gz")) return fill(plain);
  Deflater packed(plain);
  fill([&](std::string_view bytes) { packed.write(bytes); });
  packed.finish();
}

// A file that is gone again unless it was renamed to what it is for.
class TemporaryFile {
 public:
  // Beside `target`, which is no link. `path` is what the user calls it.
  TemporaryFile(const std::filesystem::path& target, const std::string& path, mode_t mode)
      : path_(path), target_(target) {
    static std::atomic<unsigned> counter = 0;
    do {  // a process of the same number may have been killed here
      forget();
      name_ = target.parent_path() / fmt::format(".lass0-tmp-{}-{}", ::getpid(), counter++);
      remember();
      fd_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (fd_ < 0 && errno == EEXIST);
    if (fd_ >= 0) return;
    const int why = errno;
    forget();
    throw_cannot_write(path, why);
  }
  ~TemporaryFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!name_.empty()) ::unlink(name_.c_str());
    forget();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return fd_; }

  // Whoever could read or write the file that is replaced can do so with the new one, and nobody
  // else: where its group can't be kept, the group that takes its place may do what all others may.
  void be_like(const struct stat& replaced) const {
    mode_t mode = replaced.st_mode & 0777;
    struct stat now = {};
    const bool same =
        ::fstat(fd_, &now) == 0 && now.st_uid == replaced.st_uid && now.st_gid == replaced.st_gid;
    if (!same && ::fchown(fd_, replaced.st_uid, replaced.st_gid) != 0 &&
        ::fchown(fd_, static_cast<uid_t>(-1), replaced.st_gid) != 0)
      mode &= 0707 | (mode & 07) << 3;
    if (::fchmod(fd_, mode) != 0) throw_cannot_write(path_, errno);
  }

  void keep() {
    const int closed = ::close(std::exchange(fd_, -1));
    if (closed != 0 || std::rename(name_.c_str(), target_.c_str()) != 0)
      throw_cannot_write(path_, errno);
    forget();
    name_.clear();
  }

 private:
  void remember() {
    for (auto& place : unfinished) {
      const char* free = nullptr;
      if (place.compare_exchange_strong(free, name_.c_str())) return;
    }
  }
  void forget() {
    for (auto& place : unfinished) {
      const char* mine = name_.c_str();
      if (place.compare_exchange_strong(mine, nullptr)) return;
    }
  }

  std::string path_;
  std::filesystem::path target_, name_;
  int fd_ = -1;
};

// Devices and pipes can't be replaced, only written to.
void write_in_place(const std::string& path, const std::function<void(const Sink&)>& fill) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) throw_cannot_write(path, errno);
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{fd};
  fill_descriptor(fd, path, fill);
}

}  // namespace

std::optional<int> descriptor_of(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int fd = -1;
    const char* const end = path.data() + path.size();
    if (std::from_chars(path.data() + folder.size(), end, fd).ptr == end && fd >= 0) return fd;
  }
  return {};
}

std::string written_path(const std::string& path) {
  constexpr int kMostLinks = 40;  // as in Linux
  std::filesystem::path at = path;
  std::error_code problem;
  for (int links = 0; links < kMostLinks; ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(at, problem);
    if (problem) break;
    at = at.parent_path() / target;  // that is `target` where it is absolute
  }
  const std::filesystem::path folder = at.has_parent_path() ? at.parent_path() : ".";
  const std::filesystem::path real = std::filesystem::canonical(folder, problem);
  return problem ? at.string() : (real / at.filename()).string();
}

void remove_unfinished_files() noexcept {
  for (const auto& place : unfinished) {
    if (const char* const name = place.load()) ::unlink(name);
  }
}

void write_file(const std::string& path, const std::function<void(const Sink&)>& fill) {
  if (const auto fd = descriptor_of(path))
    return fill_descriptor(*fd, path == "-" ? "standard output" : path, fill);
  struct stat info = {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) throw_cannot_write(path, errno);
  if (exists && S_ISDIR(info.st_mode)) throw_cannot_write(path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) return write_in_place(path, fill);
  TemporaryFile file(written_path(path), path, exists ? 0600 : 0666);
  if (exists) file.be_like(info);
  fill_descriptor(file.descriptor(), path, fill);
  file.keep();
}

}  // namespace lass0
