#include "core/sketch_layout.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/packed_values.h"

namespace twinset {
namespace {

using Texts = std::vector<std::string>;

SketchAgreement Agreement(const SketchLayout& layout, const Sketch& a,
                          const Sketch& b) {
  return CompareSketches(layout, a, b);
}

TEST(SketchLayoutTest, ValuesAreWrittenBigEndian) {
  const Sketch words = {0x4abb1734, 0xcb44421d, 5, 0};
  EXPECT_EQ(WrittenValues({}, words),
            (Texts{"4abb1734", "cb44421d", "00000005", "00000000"}));
  EXPECT_EQ(WrittenValues({.value_bits = 64}, words),
            (Texts{"cb44421d4abb1734", "0000000000000005"}));
  EXPECT_EQ(WrittenValues({.value_bits = 64, .values = 1}, words),
            (Texts{"cb44421d4abb1734"}));
  EXPECT_EQ(WrittenValues({.value_bits = 68, .values = 1}, Sketch{1, 2, 0xf}),
            (Texts{"f0000000200000001"}));
  EXPECT_EQ(WrittenValues({.value_bits = 128, .values = 1}, words),
            (Texts{"0000000000000005cb44421d4abb1734"}));
  EXPECT_TRUE(WrittenValues({.value_bits = 64}, {}).empty());
}

TEST(SketchLayoutTest, PackedValuesAreUnpacked) {
  const Sketch values = {1, 0xfff, 0x12345, 7, 0};
  const SketchLayout layout{.value_bits = 12, .values = 5, .packed = true};
  const Sketch packed = PackValues(values, 12);
  EXPECT_EQ(WrittenValues(layout, packed),
            (Texts{"001", "fff", "345", "007", "000"}));
  const SketchAgreement agreement =
      Agreement(layout, packed, PackValues(Sketch{1, 0, 0x345, 7, 1}, 12));
  EXPECT_EQ(agreement.equal, 3u);
  EXPECT_EQ(agreement.compared, 5u);
}

// A value is equal when all of its words are: halves do not count.
TEST(SketchLayoutTest, WideValuesAreComparedWhole) {
  const Sketch a = {1, 0, 2, 0, 3, 0}, b = {1, 0, 2, 9, 4, 0};
  const SketchAgreement by_place = Agreement({.value_bits = 64}, a, b);
  EXPECT_EQ(by_place.equal, 1u);
  EXPECT_EQ(by_place.compared, 3u);
  EXPECT_EQ(Agreement({}, a, b).equal, 4u);
  EXPECT_EQ(Agreement({}, a, b).compared, 6u);
}

TEST(SketchLayoutTest, SetsAreComparedWhereverTheirMembersStand) {
  const SketchLayout layout{.comparison = SketchLayout::kAsSets,
                            .value_bits = 64};
  const Sketch a = {1, 0, 2, 0, 3, 1}, b = {2, 0, 3, 1, 4, 1, 5, 1};
  const SketchAgreement agreement = Agreement(layout, a, b);
  EXPECT_EQ(agreement.equal, 2u);
  EXPECT_EQ(agreement.compared, 5u);
  EXPECT_EQ(agreement.of_a, 3u);
  EXPECT_EQ(agreement.of_b, 4u);
  EXPECT_EQ(agreement.share(), 2.0 / 5);
  EXPECT_EQ(Agreement(layout, {}, {}).share(), 0);
}

TEST(SketchLayoutTest, FingerprintsAreComparedBitByBit) {
  const SketchLayout layout{
      .comparison = SketchLayout::kByBit, .value_bits = 40, .values = 1};
  // What stands behind the fingerprint, as the votes of a vote sketch, is no
  // part of it.
  const Sketch a = {0x12345678, 0xab, 77}, b = {0x12345679, 0x2b, 99};
  EXPECT_EQ(WrittenValues(layout, a), (Texts{"ab12345678"}));
  EXPECT_EQ(Agreement(layout, a, b).equal, 38u);
  EXPECT_EQ(Agreement(layout, a, b).compared, 40u);
  EXPECT_EQ(Agreement(layout, a, {}).equal, 0u);
}

TEST(SketchLayoutTest, OtherSketchesThanAPartReadsAreAnError) {
  const SketchLayout place{.values = 64}, wide{.value_bits = 64},
      set{.comparison = SketchLayout::kAsSets, .value_bits = 64},
      bits{.comparison = SketchLayout::kByBit, .value_bits = 64, .values = 1},
      packed{.value_bits = 8, .values = 64, .packed = true};
  const SketchLayout all[] = {place, wide, set, bits, packed};
  for (const SketchLayout& read : all) {
    for (size_t i = 0; i < std::size(all); ++i) {
      SketchLayout any_number = read;
      if (!read.packed) any_number.values = 0;
      const Status checked = CheckLayout(all, i, any_number, "a part");
      EXPECT_EQ(checked.has_value(), &read == &all[i]) << i;
      if (!checked) {
        EXPECT_EQ(checked.error().code, ErrorCode::kInternal);
      }
    }
    EXPECT_FALSE(CheckLayout(all, std::size(all), read, "a part"));
  }
  const auto fits = [](const SketchLayout& has, const SketchLayout& read) {
    return CheckLayout({&has, 1}, 0, read, "a part").has_value();
  };
  // At least so many values; of sketches that do not say how many, none.
  EXPECT_TRUE(fits(place, {.values = 64}));
  EXPECT_FALSE(fits(place, {.values = 65}));
  EXPECT_FALSE(fits({}, {.values = 1}));
  // Words decide, except for bits and what is packed.
  EXPECT_TRUE(fits({.value_bits = 68}, {.value_bits = 96}));
  EXPECT_FALSE(
      fits(bits, {.comparison = SketchLayout::kByBit, .value_bits = 63}));
  EXPECT_FALSE(fits(packed, {.value_bits = 7, .values = 64, .packed = true}));
  EXPECT_FALSE(fits(packed, {.value_bits = 8, .values = 63, .packed = true}));
  EXPECT_EQ(CheckLayout({&set, 1}, 0, {.values = 96}, "the generator of bands")
                .error()
                .message,
            "the parts of the method do not fit: the generator of bands reads "
            "sketch 0 as 96 32-bit values by place, and it is any number of "
            "64-bit values as a set");
}

}  // namespace
}  // namespace twinset
