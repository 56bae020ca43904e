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
  /** No response in time, according to a node or the client. */
  TIMEOUT,
  /** The request was refused because of overload. */
  OVERLOADED,
  /** Too few replicas are alive for the consistency level. */
  UNAVAILABLE,
  /** Fewer rows or columns than there are. */
  SHORT_READ,
  /** The right number of rows, but wrong, reordered or changed ones. */
  WRONG_ROWS,
  /** Any other error from the driver. */
  ERROR;

  /** Returns the reason for an error from the driver. */
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

  /** Returns the reason of the last node that the driver tried. */
  private static RequestFailure lastOf(AllNodesFailedException all) {
    List<Throwable> tried =
        all.getAllErrors().values().stream().flatMap(Collection::stream).toList();
    return tried.isEmpty() ? ERROR : of(tried.get(tried.size() - 1));
  }
}
