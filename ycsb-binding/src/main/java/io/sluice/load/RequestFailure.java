package io.sluice.load;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.util.Collection;
import java.util.List;

/** The reason why a request failed. */
public enum RequestFailure {
  /** No answer in time: said by a node, or noticed by the client. */
  TIMEOUT,
  /** The request was refused so that others can be served. */
  OVERLOADED,
  /** Too few replicas are alive for the consistency level. */
  UNAVAILABLE,
  /** Fewer rows or columns than there are. */
  SHORT_READ,
  /** As many rows as there should be, but not these, or not in this order, or changed. */
  WRONG_ROWS,
  /** Anything else the driver reported. */
  ERROR;

  /** The kind of an error that the driver reported. */
  public static RequestFailure of(Throwable error) {
    if (error instanceof DriverTimeoutException
        || error instanceof ReadTimeoutException
        || error instanceof WriteTimeoutException) {
      return TIMEOUT;
    }
    if (error instanceof OverloadedException) {
      return OVERLOADED;
    }
    if (error instanceof UnavailableException) {
      return UNAVAILABLE;
    }
    return error instanceof AllNodesFailedException all ? lastOf(all) : ERROR;
  }

  /** The driver tried every node: the last node's word counts. */
  private static RequestFailure lastOf(AllNodesFailedException all) {
    List<Throwable> tried =
        all.getAllErrors().values().stream().flatMap(Collection::stream).toList();
    return tried.isEmpty() ? ERROR : of(tried.get(tried.size() - 1));
  }
}
