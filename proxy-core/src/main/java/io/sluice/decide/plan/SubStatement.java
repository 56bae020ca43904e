package io.sluice.decide.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a sub-request. All sub-requests of the same shape share one text, with markers for
 * bounds and LIMIT, so that it is worth preparing.
 *
 * @param cql the text; all its markers are {@code ?}
 * @param values the sources of its markers' values, in order
 */
public record SubStatement(String cql, List<Value> values) {

  public SubStatement {
    values = List.copyOf(values);
  }

  /** The source of a marker's value. */
  public enum Source {
    /** The client's bound value, forwarded unchanged, null and unset included. */
    CLIENT,
    /** The token after which the piece begins. */
    AFTER,
    /** The token up to which the piece goes. */
    UP_TO,
    /** The rows left of the client's LIMIT, an {@code int}. */
    LIMIT
  }

  /**
   * The value of one marker.
   *
   * @param source where it comes from
   * @param marker the position of the client's marker, from 0; −1 unless {@link Source#CLIENT}
   * @param name the name of the client's marker, which the client may have bound by instead
   */
  public record Value(Source source, int marker, @Nullable String name) {}
}
