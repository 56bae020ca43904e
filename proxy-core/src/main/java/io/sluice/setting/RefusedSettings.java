package io.sluice.setting;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that cannot be used, with everything that is wrong with them. Immutable. */
public final class RefusedSettings extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<InvalidSetting> all;

  RefusedSettings(List<InvalidSetting> all) {
    super(all.stream().map(InvalidSetting::toString).collect(Collectors.joining("; ")));
    this.all = List.copyOf(all);
  }

  /** One refused value. */
  public static RefusedSettings of(InvalidSetting refused) {
    return new RefusedSettings(List.of(refused));
  }

  /** The refused values, at least one. */
  public List<InvalidSetting> all() {
    return all;
  }
}
