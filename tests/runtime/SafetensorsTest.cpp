// Safetensors files: what is written is read back, and no damage goes unnoticed.
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/Crc32c.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::HasSubstr;

namespace {

TEST(Crc32c, KnownValues) {
  EXPECT_EQ(crc32c("", 0), 0u);
  EXPECT_EQ(crc32c("123456789", 9), 0xe3069283u);
  std::string zeros(32, '\0');
  EXPECT_EQ(crc32c(zeros.data(), 32), 0x8a9136aau);
  EXPECT_EQ(crc32c("6789", 4, crc32c("12345", 5)), 0xe3069283u);
}

class Safetensors : public testing::Test {
protected:
  Safetensors() : weight(AXL_F32, {2, 3}), flags(AXL_I1, {3}), step(AXL_I32, {}) {
    std::iota(weight.view<float>().begin(), weight.view<float>().end(), 0.5f);
    flags.view<bool>()[1] = true;
    step.view<int32_t>()[0] = 77;
    path = folder.path("a.safetensors");
  }

  void write() {
    const Named tensors[] = {{"weight", weight}, {"flags", flags}, {"step", step}};
    writeSafetensors(path, tensors, {{"note", "for \"tests\""}});
  }

  // A file with this header, the right length, and `bytes` bytes of data.
  std::string withHeader(const std::string &header, size_t bytes) {
    return withHeader(header, std::string(bytes, 'x'));
  }
  std::string withHeader(const std::string &header, const std::string &data) {
    uint64_t length = header.size();
    std::string contents(reinterpret_cast<char *>(&length), sizeof(length));
    return folder.write("b.safetensors", contents + header + data);
  }

  // The message about a file without checksums.
  void expectFormatError(const std::string &file, const std::string &message) {
    expectError(AXL_ERROR_FORMAT, concat("'", file, "' ", message),
                [&] { SafetensorsFile(file, Checksums::Optional); });
  }

  TemporaryFolder folder;
  std::string path;
  Tensor weight, flags, step;
};

TEST_F(Safetensors, RoundTrip) {
  write();
  SafetensorsFile file(path);
  ASSERT_EQ(file.entries().size(), 3u);
  Tensor found = file.read(*file.find("weight"));
  EXPECT_THAT(found.extents(), testing::ElementsAre(2, 3));
  EXPECT_THAT(found.view<float>(), testing::ElementsAreArray(weight.view<float>()));
  EXPECT_THAT(file.read(*file.find("flags")).view<bool>(),
              testing::ElementsAre(false, true, false));
  EXPECT_THAT(file.read(*file.find("step")).view<int32_t>(), testing::ElementsAre(77));
  EXPECT_EQ(file.metadata(), (Metadata{{"note", "for \"tests\""}}));
  EXPECT_EQ(file.find("bias"), nullptr);
}

TEST_F(Safetensors, NoTensorHasTheNameOfTheMetadata) {
  const Named tensors[] = {{"__metadata__", weight}};
  expectError(AXL_ERROR_ARGUMENT,
              "a tensor of a file cannot be called '__metadata__', where the file says what it "
              "holds; rename it",
              [&] { writeSafetensors(path, tensors, {}); });
  EXPECT_EQ(folder.list(), "");
}

TEST_F(Safetensors, TheSameTensorsGiveTheSameBytes) {
  write();
  std::string first = readFile(path);
  write();
  EXPECT_EQ(readFile(path), first);
  uint64_t length;
  std::memcpy(&length, first.data(), 8);
  EXPECT_EQ((8 + length) % 64, 0u) << "the data should be aligned";
}

TEST_F(Safetensors, DamageToAnyByteIsFound) {
  write();
  const std::string good = readFile(path);
  for (size_t place = 0; place < good.size(); ++place) {
    std::string bad = good;
    bad[place] ^= char(1 << place % 8);
    folder.write("a.safetensors", bad);
    try {
      SafetensorsFile file(path);
      for (const auto &entry : file.entries())
        (void)file.read(entry);
      ADD_FAILURE() << "flipping a bit of byte " << place << " went unnoticed";
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), AXL_ERROR_FORMAT);
      EXPECT_THAT(error.what(), HasSubstr(path));
    }
  }
}

TEST_F(Safetensors, DamagedDataNamesTheTensor) {
  write();
  std::string bad = readFile(path);
  bad[bad.size() - 1] ^= 1;
  folder.write("a.safetensors", bad);
  SafetensorsFile file(path);
  (void)file.read(*file.find("weight"));
  expectError(AXL_ERROR_FORMAT,
              testing::MatchesRegex(".*is damaged: tensor 'step', i32 \\[\\], has "
                                    "checksum .* instead of .*"),
              [&] { (void)file.read(*file.find("step")); });
}

TEST_F(Safetensors, EveryTruncationIsFound) {
  write();
  const std::string good = readFile(path);
  for (size_t length = good.size(); length-- > 0;) {
    std::filesystem::resize_file(path, length);
    expectError(AXL_ERROR_FORMAT, HasSubstr("is truncated"), [&] { SafetensorsFile file(path); });
  }
  folder.write("a.safetensors", good + "x");
  expectError(AXL_ERROR_FORMAT,
              concat("'", path, "' has bytes after its last tensor: it has ", good.size() + 1,
                     " bytes, its header announces ", good.size()),
              [&] { SafetensorsFile file(path); });
}

TEST_F(Safetensors, MissingFile) {
  expectError(AXL_ERROR_FILE, concat("cannot read '", path, "': No such file or directory"),
              [&] { SafetensorsFile file(path); });
}

TEST_F(Safetensors, FilesOfOtherProgramsHaveNoChecksums) {
  std::string file = withHeader(
      R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
      8);
  EXPECT_EQ(
      SafetensorsFile(file, Checksums::Optional).read({"w", AXL_F32, "F32", {2}, 0, 8}).size(), 2);
  expectError(AXL_ERROR_FORMAT,
              concat("'", file,
                     "' has a damaged header or was not written by Axloom: it has no "
                     "checksum"),
              [&] { SafetensorsFile again(file); });
}

const std::string notSizes =
    "has tensor 'w' whose shape or data_offsets are not whole numbers from 0, two offsets";

TEST_F(Safetensors, HeadersThatContradictThemselves) {
  auto entry = [](const char *dtype, const char *shape, const char *offsets) {
    return concat(R"({"w":{"dtype":")", dtype, R"(","shape":)", shape, R"(,"data_offsets":)",
                  offsets, "}}");
  };
  std::string layout = "has a header that contradicts itself: tensor 'w' should begin at byte 0 of "
                       "the data and have ";
  expectFormatError(withHeader(entry("F32", "[2]", "[0,4]"), 4),
                    layout + "8 bytes, but lies from 0 to 4");
  expectFormatError(withHeader(entry("F32", "[2]", "[4,12]"), 12),
                    layout + "8 bytes, but lies from 4 to 12");
  expectFormatError(withHeader(entry("F16", "[2]", "[0,8]"), 8),
                    layout + "4 bytes, but lies from 0 to 8");
  expectFormatError(withHeader(entry("I64", "[2]", "[0,-9223372036854775808]"), 0), notSizes);
  expectFormatError(withHeader(entry("F32", "[2305843009213693951]", "[0,9223372036854775804]"), 0),
                    "is truncated: it has 98 bytes, its header announces 9223372036854775902");
  expectFormatError(withHeader(entry("F32", "[4611686018427387904,4]", "[0,0]"), 0),
                    layout + "-1 bytes, but lies from 0 to 0");
}

TEST_F(Safetensors, NumbersThatAreNoSizes) {
  auto expectRefused = [&](const std::string &shape, const std::string &offsets) {
    expectFormatError(withHeader(concat(R"({"w":{"dtype":"F32","shape":)", shape,
                                        R"(,"data_offsets":)", offsets, "}}"),
                                 8),
                      notSizes);
  };
  for (const char *shape :
       {"[2.7]", "[-2]", "[true,2]", "[9223372036854775808]", "[\"2\"]", "2", "{\"a\":2}", "null"})
    expectRefused(shape, "[0,8]");
  const size_t depth = 1'000'000; // no walk through this may be recursive
  expectRefused(std::string(depth, '[') + std::string(depth, ']'), "[0,8]");
  for (const char *offsets :
       {"[0,8.5]", "[0,8,8]", "[8]", "[-9223372036854775808,8]", "[0,18446744073709551615]", "8"})
    expectRefused("[2]", offsets);
}

TEST_F(Safetensors, NamesThatAreThereTwice) {
  std::string entry = R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  expectFormatError(withHeader(concat("{\"w\":", entry, ",\"w\":", entry, "}"), 8),
                    "has a header that contradicts itself: it has 'w' twice");
}

TEST_F(Safetensors, MetadataThatIsNone) {
  for (const char *metadata : {"[]", "null", "3", R"(["a"])", R"({"a":1})", R"({"a":{"b":"c"}})"})
    expectFormatError(withHeader(concat(R"({"__metadata__":)", metadata, "}"), 0),
                      "has a header whose __metadata__ is no object of strings");
  EXPECT_TRUE(SafetensorsFile(withHeader(R"({"__metadata__":{}})", 0), Checksums::Optional)
                  .metadata()
                  .empty());
}

TEST_F(Safetensors, TensorsOfForeignTypesAreListedButNotRead) {
  std::string path = withHeader(R"({"w":{"dtype":"I64","shape":[2],"data_offsets":[0,16]}})", 16);
  SafetensorsFile file(path, Checksums::Optional);
  ASSERT_TRUE(file.find("w"));
  EXPECT_EQ(file.find("w")->type, -1);
  std::string refusal = "'" + path + "' has tensor 'w' of dtype I64, which cannot be read";
  expectError(AXL_ERROR_FORMAT, refusal, [&] { (void)file.read(*file.find("w")); });
  expectError(AXL_ERROR_FORMAT, refusal + " as f32",
              [&] { (void)file.read(*file.find("w"), AXL_F32); });
  expectFormatError(withHeader(R"({"w":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],)"
                               R"("data_offsets":[0,4]}})",
                               4),
                    "has tensor 'w' of dtype \"F32\" and shape [1,1,1,1,1,1,1,1,1]; supported are "
                    "F32, BF16, F64, I32 and BOOL with at most 8 axes");
}

// What 16 bits of a floating-point number with so many for the fraction are as f32, by arithmetic.
uint32_t widened(uint32_t bits, int fractionBits) {
  const uint32_t one = 1u << fractionBits, fraction = bits % one;
  const int exponents = 1 << (15 - fractionBits), exponent = int(bits / one) % exponents;
  const uint32_t sign = bits >> 15 << 31;
  // Infinity, and what is not a number, which keeps its bits.
  if (exponent == exponents - 1)
    return sign | 0x7f800000 | fraction << (23 - fractionBits);
  uint32_t digits = exponent == 0 ? fraction : fraction + one;
  int scale = std::max(exponent, 1) - (exponents / 2 - 1) - fractionBits;
  return sign | std::bit_cast<uint32_t>(float(std::ldexp(digits, scale)));
}

TEST_F(Safetensors, AllNumbersOf16BitsAreReadAsF32) {
  std::string halves;
  for (uint32_t bits = 0; bits < 1 << 16; ++bits)
    halves += {char(bits & 0xff), char(bits >> 8)};
  for (auto [dtype, fractionBits] : {std::pair("F16", 10), std::pair("BF16", 7)}) {
    SafetensorsFile file(withHeader(concat(R"({"w":{"dtype":")", dtype,
                                           R"(","shape":[65536],"data_offsets":[0,131072]}})"),
                                    halves),
                         Checksums::Optional);
    Tensor wide = file.read(*file.find("w"), AXL_F32);
    for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
      uint32_t found;
      std::memcpy(&found, static_cast<std::byte *>(wide.data()) + bits * sizeof(found),
                  sizeof(found));
      ASSERT_EQ(found, widened(bits, fractionBits)) << dtype << " " << bits;
    }
  }
}

TEST_F(Safetensors, HeadersThatAreNoneAtAll) {
  expectFormatError(folder.write("b.safetensors", "abc"),
                    "is truncated or no safetensors file: it has 3 bytes");
  expectFormatError(folder.write("b.safetensors", std::string(16, '\xff')),
                    "is damaged or no safetensors file: its header would have 18446744073709551615 "
                    "bytes");
  std::string cut = "\x40" + std::string(15, '\0');
  expectFormatError(folder.write("b.safetensors", cut),
                    "is truncated or damaged: it has 16 bytes, its header alone would have 64");
  for (const char *header : {"[]", "{]", "{\"w\":3}", "{\"w\":{\"dtype\":\"F32\"}}", "12345"})
    expectError(AXL_ERROR_FORMAT, HasSubstr("has a header that cannot be understood: "),
                [&] { SafetensorsFile(withHeader(header, 0), Checksums::Optional); });
}

} // namespace
