package io.sluice.host.join;

import java.util.List;
import java.util.Optional;

/** The flags with which a JVM lets no other attach. */
final class AttachFlags {
  private static final String REDUCED_SIGNALS = "-Xrs";

  private AttachFlags() {}

  /** Returns the flag among a JVM's arguments that forbids to attach; empty if there is none. */
  static Optional<String> forbidding(List<String> arguments) {
    if (arguments.contains(REDUCED_SIGNALS)) {
      return Optional.of(REDUCED_SIGNALS);
    }
    for (String name : List.of("DisableAttachMechanism", "ReduceSignalUsage")) {
      String on = "-XX:+" + name;
      // Of a flag that is given twice, the last one counts.
      if (arguments.lastIndexOf(on) > arguments.lastIndexOf("-XX:-" + name)) {
        return Optional.of(on);
      }
    }
    return Optional.empty();
  }
}
