package io.sluice.server.settings;

import java.util.List;

/** Thrown for a configuration file that cannot be used, with all its faults. */
public final class InvalidSettings extends Exception {

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

  /** Returns a copy that knows the lines of the keys. */
  InvalidSettings in(LineNumbers text) {
    return new InvalidSettings(faults, text);
  }

  List<Fault> faults() {
    return faults;
  }

  /** Returns each fault on one line, with its line number in the file if known. */
  List<String> messages() {
    return faults.stream().map(fault -> place(fault) + fault.line()).toList();
  }

  /** Returns each fault on two lines, with its line number in the file if known. */
  public List<String> descriptions() {
    return faults.stream().map(fault -> place(fault) + fault).toList();
  }

  /** Returns the place of a fault: {@code line 3, }; empty if unknown. */
  private String place(Fault fault) {
    int line = lines.of(SettingsPath.of(fault.key()));
    return line == 0 ? "" : "line " + line + ", ";
  }
}
