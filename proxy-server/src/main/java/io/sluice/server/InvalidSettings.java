package io.sluice.server;

import java.util.List;

/** A configuration file that cannot be used, with everything that is wrong with it. */
final class InvalidSettings extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;
  private final transient LineNumbers lines;

  InvalidSettings(List<Fault> faults) {
    this(faults, LineNumbers.NONE);
  }

  private InvalidSettings(List<Fault> faults, LineNumbers lines) {
    super(faults.size() == 1 ? "1 fault" : faults.size() + " faults");
    this.faults = List.copyOf(faults);
    this.lines = lines;
  }

  /** The same faults of a text of which it is known on which line each key stands. */
  InvalidSettings in(LineNumbers text) {
    return new InvalidSettings(faults, text);
  }

  List<Fault> faults() {
    return faults;
  }

  /** Each fault on one line, behind the number of the file's line where it is known. */
  List<String> told() {
    return faults.stream().map(fault -> place(fault) + fault.line()).toList();
  }

  /** Where a fault is: {@code line 3, }; empty when that is not known. */
  String place(Fault fault) {
    int line = lines.of(SettingsPath.of(fault.key()));
    return line == 0 ? "" : "line " + line + ", ";
  }
}
