package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the end of each part of a number, and texts that only look like one. */
class NumbersTest {

  private static final String UUID = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";

  @Test
  void a_uuid_has_an_exact_form() {
    assertThat(Numbers.endOfUuid(UUID, 0)).isEqualTo(36);
    assertThat(Numbers.endOfUuid("x " + UUID + "7", 2)).isEqualTo(38);
    assertThat(Numbers.endOfUuid(UUID.substring(0, 35), 0)).as("too short").isNegative();
    assertThat(Numbers.endOfUuid(UUID.replace("e-7", "ea7"), 0)).as("no dash").isNegative();
    assertThat(Numbers.endOfUuid(UUID.replace("-a7", "aa7"), 0)).as("no later dash").isNegative();
    assertThat(Numbers.endOfUuid(UUID.replace("fae-", "f-e-"), 0)).as("a dash more").isNegative();
    assertThat(Numbers.endOfUuid(UUID.replace('c', 'g'), 0)).as("no digit").isNegative();
  }

  @Test
  void a_blob_is_as_long_as_its_digits() {
    assertThat(Numbers.isHex("0x", 0) && Numbers.isHex("0XAB", 0)).isTrue();
    assertThat(Numbers.isHex("1x", 0) || Numbers.isHex("0", 0)).isFalse();
    assertThat(Numbers.skipHex("0xaFg", 2)).isEqualTo(4);
    assertThat(Numbers.skipHex("0x", 2)).isEqualTo(2);
  }

  @Test
  void a_fraction_begins_with_one_dot() {
    assertThat(Numbers.endOfFraction("1.5", 1)).isEqualTo(3);
    assertThat(Numbers.endOfFraction("1.", 1)).isEqualTo(2);
    assertThat(Numbers.endOfFraction("1..2", 1)).isEqualTo(1);
    assertThat(Numbers.endOfFraction("1 ", 1)).isEqualTo(1);
  }

  @Test
  void an_exponent_has_digits() {
    assertThat(Numbers.endOfExponent("1e5", 1)).isEqualTo(3);
    assertThat(Numbers.endOfExponent("1E+52x", 1)).isEqualTo(5);
    assertThat(Numbers.endOfExponent("1e-5", 1)).isEqualTo(4);
    assertThat(Numbers.endOfExponent("1e", 1)).isEqualTo(1);
    assertThat(Numbers.endOfExponent("1e-", 1)).isEqualTo(1);
    assertThat(Numbers.endOfExponent("1f5", 1)).isEqualTo(1);
  }

  @Test
  void a_negative_word_is_a_whole_word() {
    assertThat(Numbers.endOfNegativeWord("-nan", 0)).isEqualTo(4);
    assertThat(Numbers.endOfNegativeWord("-Infinity,", 0)).isEqualTo(9);
    assertThat(Numbers.endOfNegativeWord("-nans", 0)).isNegative();
    assertThat(Numbers.endOfNegativeWord("-inf", 0)).isNegative();
  }

  @Test
  void a_float_is_as_java_reads_it() {
    assertThat(Numbers.floatText("-nan", 0, 4)).isEqualTo("NaN");
    assertThat(Numbers.floatText("INFINITY", 0, 8)).isEqualTo("Infinity");
    assertThat(Numbers.floatText("-infinity", 0, 9)).isEqualTo("-Infinity");
    assertThat(Numbers.floatText(" 1.5 ", 1, 4)).isEqualTo("1.5");
  }
}
