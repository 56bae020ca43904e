package io.sluice.console;

import java.util.List;

/** The facts about the process that only its host knows. Safe for any thread. */
public interface HostView {

  /** Knows nothing. */
  HostView NONE = List::of;

  /** The settings in effect. */
  List<Setting> settings();

  /** The last warnings and errors of its log. */
  default List<LogLine> log() {
    return List.of();
  }
}
