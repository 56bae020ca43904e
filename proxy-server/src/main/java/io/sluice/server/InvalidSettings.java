package io.sluice.server;

import java.util.List;

/** A configuration file that cannot be used, with everything that is wrong with it. */
final class InvalidSettings extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  InvalidSettings(List<Fault> faults) {
    super(faults.size() == 1 ? "1 fault" : faults.size() + " faults");
    this.faults = List.copyOf(faults);
  }

  List<Fault> faults() {
    return faults;
  }
}
