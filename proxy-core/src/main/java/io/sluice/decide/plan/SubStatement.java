package io.sluice.decide.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a sub-request. One stands for all sub-requests of its shape, so that it is worth
 * preparing: bounds and LIMIT are markers.
 *
 * @param cql the text; all its markers are {@code ?}
 * @param values what its markers stand for, in order
 */
public record SubStatement(String cql, List<Value> values) {

  public SubStatement {
    values = List.copyOf(values);
  }

  /** Where the value of a marker comes from. */
  public enum Source {
    /** What the client bound, null and unset included, goes on as it came. */
    CLIENT,
    /** The token after which the piece begins. */
    AFTER,
    /** The token up to which it goes. */
    UP_TO,
    /** The rows left of the client's LIMIT, an {@code int}. */
    LIMIT
  }

  /**
   * The value of one marker.
   *
   * @param source where it comes from
   * @param marker the position of the client's marker, from 0; −1 unless {@link Source#CLIENT}
   * @param name the client's marker's name, by which the value may have been given instead
   */
  public record Value(Source source, int marker, @Nullable String name) {}
}
