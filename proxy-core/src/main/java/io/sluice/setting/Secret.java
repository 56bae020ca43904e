package io.sluice.setting;

import org.jspecify.annotations.Nullable;

/**
 * A password or token. Its {@link #toString} hides it, and only {@link #reveal} and {@link #chars}
 * show it. Immutable.
 */
public final class Secret {

  /** The text that replaces every secret. */
  public static final String HIDDEN = "****";

  private final String value;

  /** Creates a secret of this value, which may be empty. */
  public Secret(String value) {
    this.value = value;
  }

  /** Returns the value itself, which must not be logged or become part of a message. */
  public String reveal() {
    return value;
  }

  /** Returns the value as a new array, which the caller may erase. */
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
