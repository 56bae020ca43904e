package io.sluice.watch;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import java.util.List;

/** Says in one line why the cluster could not be reached, and what to do. */
final class ConnectFailure {

  private ConnectFailure() {}

  static String explain(ClusterConfig config, RuntimeException failure) {
    String points = "cluster.contactPoints " + config.contactPoints();
    if (failure instanceof AllNodesFailedException all) {
      for (List<Throwable> errors : all.getAllErrors().values()) {
        for (Throwable error : errors) {
          if (error instanceof AuthenticationException) {
            return points
                + " refused the credentials ("
                + error.getMessage()
                + "): set cluster.credentials to a role that may log in";
          }
        }
      }
      return "None of " + points + " could be reached: " + firstReason(all);
    }
    return "Cannot connect to " + points + ": " + failure.getMessage();
  }

  private static String firstReason(AllNodesFailedException all) {
    for (List<Throwable> errors : all.getAllErrors().values()) {
      for (Throwable error : errors) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        return String.valueOf(cause.getMessage());
      }
    }
    return String.valueOf(all.getMessage());
  }
}
