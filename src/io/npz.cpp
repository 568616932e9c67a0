// NPZ: a zip archive of .npy members, stored or deflated. X is the member of that name or the only
// one of two dimensions; y, when there is one, is the target.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <limits>
#include <map>

#include "io/bytes.hpp"
#include "io/formats.hpp"
#include "io/npy.hpp"
#include "util/memory.hpp"

namespace lass0::io {
namespace {

constexpr std::string_view local_magic = "PK\x03\x04", central_magic = "PK\x01\x02",
                           end_magic = "PK\x05\x06";

// A zip archive: its directory, and its members unpacked on demand.
class Zip {
 public:
  Zip(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {
    read_directory();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, member] : members_) out.push_back(name);
    return out;
  }

  // The content; kept in `unpacked` when it was deflated.
  std::string_view content(const std::string& name, std::vector<char>& unpacked) const {
    const Member& member = members_.at(name);
    need(member.header, 30);
    const std::uint64_t data =
        member.header + 30 + number(member.header + 26, 2) + number(member.header + 28, 2);
    need(data, member.packed_size);
    const std::string_view packed = bytes_.substr(data, member.packed_size);
    if (member.method != 0 && member.method != 8)
      throw Error(fmt::format("{}: '{}' is packed by method {}, which is not known", source_, name,
                              member.method));
    const std::string_view out =
        member.method == 0 ? packed : inflated(packed, member, name, unpacked);
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(out.data()), out.size());
    if (sum != member.checksum)
      throw Error(fmt::format("{}: '{}' is damaged: its checksum is wrong", source_, name));
    return out;
  }

 private:
  struct Member {
    std::uint64_t method, checksum, packed_size, size, header;
  };

  void need(std::uint64_t at, std::uint64_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at)
      throw Error(fmt::format("{}: the archive is truncated or damaged", source_));
  }

  std::uint64_t number(std::uint64_t at, int bytes) const {
    need(at, static_cast<std::uint64_t>(bytes));
    std::uint64_t value = 0;
    for (int b = bytes - 1; b >= 0; --b)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + static_cast<std::uint64_t>(b)]);
    return value;
  }

  void read_directory() {
    const std::size_t end = bytes_.rfind(end_magic);
    if (end == std::string_view::npos)
      throw Error(fmt::format("{}: the archive is truncated: its directory is missing", source_));
    std::uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
    // Large archives keep the real numbers in a record that a locator right before the end points
    // to.
    if ((count == 0xFFFF || at == 0xFFFFFFFF) && end >= 20) {
      const std::uint64_t record = number(end - 20 + 8, 8);
      count = number(record + 32, 8);
      at = number(record + 48, 8);
    }
    for (std::uint64_t m = 0; m < count; ++m) {
      need(at, 46);
      if (bytes_.substr(at, 4) != central_magic) need(bytes_.size(), 1);
      const std::uint64_t name_size = number(at + 28, 2), extra_size = number(at + 30, 2);
      need(at + 46, name_size);
      Member member = {number(at + 10, 2), number(at + 16, 4), number(at + 20, 4),
                       number(at + 24, 4), number(at + 42, 4)};
      read_large_sizes(at + 46 + name_size, extra_size, member);
      members_[std::string(bytes_.substr(at + 46, name_size))] = member;
      at += 46 + name_size + extra_size + number(at + 32, 2);
    }
  }

  // Numbers that don't fit 32 bits stand in an extra field, in this order and only those.
  void read_large_sizes(std::uint64_t at, std::uint64_t size, Member& member) const {
    const std::uint64_t end = at + size;
    while (at + 4 <= end) {
      const std::uint64_t id = number(at, 2), length = number(at + 2, 2);
      std::uint64_t field = at + 4;
      for (std::uint64_t* value : {&member.size, &member.packed_size, &member.header}) {
        if (id != 1 || *value != 0xFFFFFFFF || field + 8 > at + 4 + length) continue;
        *value = number(field, 8);
        field += 8;
      }
      at += 4 + length;
    }
  }

  std::string_view inflated(std::string_view packed, const Member& member, const std::string& name,
                            std::vector<char>& unpacked) const {
    // Deflate packs at most about a thousandfold: a larger size is a lie that would cost memory.
    if (member.size / 1100 > packed.size()) need(bytes_.size(), 1);
    require_memory(static_cast<double>(member.size),
                   fmt::format("the array '{}' of {}", name, source_));
    unpacked.resize(member.size);
    z_stream stream = {};
    if (inflateInit2(&stream, -15) != Z_OK) throw Error(fmt::format("{}: out of memory", source_));
    constexpr std::size_t piece = std::size_t{1} << 30;
    std::size_t given = 0, got = 0;
    int status = Z_OK;
    while (status == Z_OK) {
      const std::size_t in = std::min(piece, packed.size() - given),
                        out = std::min(piece, unpacked.size() - got);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + given));
      stream.avail_in = static_cast<uInt>(in);
      stream.next_out = reinterpret_cast<Bytef*>(unpacked.data() + got);
      stream.avail_out = static_cast<uInt>(out);
      status = inflate(&stream, Z_NO_FLUSH);
      given += in - stream.avail_in;
      got += out - stream.avail_out;
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END || got != unpacked.size())
      throw Error(fmt::format("{}: '{}' is damaged: it can't be unpacked", source_, name));
    return {unpacked.data(), unpacked.size()};
  }

  std::string_view bytes_;
  const std::string& source_;
  std::map<std::string, Member> members_;
};

struct Arrays {
  std::map<std::string, std::vector<char>> unpacked;
  std::map<std::string, NpyArray> by_name;
};

Arrays open_arrays(const Input& input) {
  const Zip zip(input.bytes, input.source);
  Arrays arrays;
  for (const std::string& member : zip.names()) {
    if (!member.ends_with(".npy")) continue;
    const std::string name = member.substr(0, member.size() - 4);
    const std::string_view content = zip.content(member, arrays.unpacked[name]);
    arrays.by_name.emplace(name,
                           NpyArray(content, fmt::format("{}: array '{}'", input.source, name)));
  }
  return arrays;
}

const NpyArray& find_matrix(const Arrays& arrays, const std::string& source) {
  const auto named = arrays.by_name.find("X");
  if (named != arrays.by_name.end() && named->second.dimensions() == 2) return named->second;
  const NpyArray* found = nullptr;
  for (const auto& [name, array] : arrays.by_name) {
    if (array.dimensions() != 2) continue;
    if (found)
      throw Error(
          fmt::format("{}: several arrays have two dimensions; name the one to use 'X'", source));
    found = &array;
  }
  if (!found) throw Error(fmt::format("{}: there is no array 'X' of two dimensions", source));
  return *found;
}

}  // namespace

RawTable read_npz(const Input& input) {
  constexpr const char* target_name = "y";
  const Arrays arrays = open_arrays(input);
  const NpyArray& X = find_matrix(arrays, input.source);
  const auto target = arrays.by_name.find(target_name);
  const bool has_target = target != arrays.by_name.end() && &target->second != &X;

  if (has_target) {
    const NpyArray& y = target->second;
    if (y.dimensions() < 1 || y.dimensions() > 2 || y.cols() != 1 || y.rows() != X.rows()) {
      throw Error(fmt::format("{}: the array 'y' must have one value for each of the {} rows of X",
                              input.source, X.rows()));
    }
  }
  const std::string last = has_target ? target_name : "";
  RawTable raw(input, ColumnNames::numbered(input.source, X.cols(), last), X.rows(), last);
  X.for_each(input.progress, [&](Index i, Index j, double value) { raw.put(j, value, i); });
  if (has_target)
    target->second.for_each(input.progress,
                            [&](Index i, Index, double value) { raw.put(X.cols(), value, i); });
  return raw;
}

bool looks_like_npz(std::string_view bytes) { return bytes.starts_with(local_magic); }

}  // namespace lass0::io
