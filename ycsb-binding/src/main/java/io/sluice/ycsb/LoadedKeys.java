package io.sluice.ycsb;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import site.ycsb.Utils;

/**
 * The keys that YCSB's load phase writes.
 *
 * @param first number of the first key
 * @param count number of keys
 * @param digits least number of digits, padded with zeros
 * @param ordered whether the number itself is the key, not its hash
 */
record LoadedKeys(long first, long count, int digits, boolean ordered) {
  /** Returns all keys, in the order of their numbers. */
  Stream<String> all() {
    return LongStream.range(first, first + count).mapToObj(this::name);
  }

  /** Returns the name that {@code CoreWorkload} gives to the key of that number. */
  String name(long number) {
    String text = Long.toString(ordered ? number : Utils.hash(number));
    return "user" + "0".repeat(Math.max(0, digits - text.length())) + text;
  }
}
