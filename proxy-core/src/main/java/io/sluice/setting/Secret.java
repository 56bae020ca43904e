package io.sluice.setting;

import org.jspecify.annotations.Nullable;

/** A password or token. It shows itself to {@link #reveal} only, never in a text. Immutable. */
public final class Secret {

  /** The text in the place of every secret. */
  public static final String HIDDEN = "****";

  private final String value;

  /** A secret of this value, which may be empty. */
  public Secret(String value) {
    this.value = value;
  }

  /** The value itself; must not be logged, and must not be part of a message. */
  public String reveal() {
    return value;
  }

  /** The value as a new array, which the caller may erase. */
  public char[] chars() {
    return value.toCharArray();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret secret && value.equals(secret.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
