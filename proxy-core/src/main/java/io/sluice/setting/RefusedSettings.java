package io.sluice.setting;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for settings that cannot be used, with every fault in them. Immutable. */
public final class RefusedSettings extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<InvalidSetting> all;

  RefusedSettings(List<InvalidSetting> all) {
    super(all.stream().map(InvalidSetting::toString).collect(Collectors.joining("; ")));
    this.all = List.copyOf(all);
  }

  /** Creates the exception for one refused value. */
  public static RefusedSettings of(InvalidSetting refused) {
    return new RefusedSettings(List.of(refused));
  }

  /** Returns the refused values, at least one. */
  public List<InvalidSetting> all() {
    return all;
  }
}
