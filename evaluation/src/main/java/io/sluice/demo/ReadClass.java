package io.sluice.demo;

import java.util.Locale;

/** The two kinds of reads in the mix. */
enum ReadClass {
  POINT,
  RANGE;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
