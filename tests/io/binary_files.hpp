// NumPy files and zip archives as NumPy writes them, and damaged ones.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lass0::test {

// A .npy file with any text in place of the header.
inline std::string npy_with_header(std::string header, std::string_view data, char version = 1) {
  const std::size_t before = version == 1 ? 10 : 12;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string out = "\x93NUMPY";
  out += {version, '\0', static_cast<char>(header.size() & 255),
          static_cast<char>(header.size() >> 8)};
  if (version > 1) out += std::string(2, '\0');
  return out + header + std::string(data);
}

inline std::string npy(const std::string& type, bool fortran, const std::string& shape,
                       std::string_view data, char version = 1) {
  return npy_with_header("{'descr': '" + type + "', 'fortran_order': " +
                             (fortran ? "True" : "False") + ", 'shape': " + shape + ", }",
                         data, version);
}

template <typename T>
std::string bytes_of(std::initializer_list<double> entries, bool swapped = false) {
  std::string out;
  for (const double entry : entries) {
    const T value = static_cast<T>(entry);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (swapped) std::reverse(bytes, bytes + sizeof(T));
    out.append(bytes, sizeof(T));
  }
  return out;
}

inline std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int b = 0; b < bytes; ++b) out += static_cast<char>(value >> (8 * b) & 255);
  return out;
}

// A zip archive as numpy.savez (stored) and savez_compressed (deflated) write it.
inline std::string zip(const std::vector<std::pair<std::string, std::string>>& members,
                       bool deflated) {
  std::string out, directory;
  for (const auto& [name, content] : members) {
    std::string packed = content;
    if (deflated) {
      packed.resize(content.size() + 1000);
      z_stream stream = {};
      deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
      stream.avail_in = static_cast<uInt>(content.size());
      stream.next_out = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_out = static_cast<uInt>(packed.size());
      deflate(&stream, Z_FINISH);
      packed.resize(stream.total_out);
      deflateEnd(&stream);
    }
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    const std::string about = number(20, 2) + number(0, 2) + number(deflated ? 8 : 0, 2) +
                              number(0, 4) + number(sum, 4) + number(packed.size(), 4) +
                              number(content.size(), 4) + number(name.size(), 2);
    directory.append("PK\x01\x02").append(number(20, 2)).append(about).append(12, '\0');
    directory.append(number(out.size(), 4)).append(name);
    out.append("PK\x03\x04").append(about).append(number(4, 2)).append(name);
    out.append("abcd").append(packed);
  }
  const std::size_t start = out.size();
  out += directory;
  return out + "PK\x05\x06" + number(0, 4) + number(members.size(), 2) + number(members.size(), 2) +
         number(directory.size(), 4) + number(start, 4) + number(0, 2);
}

}  // namespace lass0::test
