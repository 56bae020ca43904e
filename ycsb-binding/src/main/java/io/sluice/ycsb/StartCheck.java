package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.WorkloadException;

/**
 * Checks a command line before YCSB's client gets it, because that client ends with exit code 0 and
 * a throughput of 0 when no thread can start. Stateless.
 */
final class StartCheck {
  private static final int CANNOT_CONNECT = 1;
  private static final int WRONG_SETTINGS = 2;

  private StartCheck() {}

  /** Thrown when no thread could start. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    private final int exitCode;

    private Refused(int exitCode, String message, Exception cause) {
      super(message, cause);
      this.exitCode = exitCode;
    }

    int exitCode() {
      return exitCode;
    }
  }

  /** Checks the properties, and opens and closes a session. Creates nothing. */
  static void run(Properties properties) throws Refused {
    try {
      if (properties.getProperty(Client.WORKLOAD_PROPERTY) == null) {
        throw new IllegalArgumentException("-P: missing; it names a workload");
      }
      if (RangeMixWorkload.class.getName().equals(properties.get(Client.WORKLOAD_PROPERTY))) {
        RangeMixWorkload.check(properties);
      }
      BindingSettings.of(properties).endpoint().open().close();
    } catch (IllegalArgumentException | IllegalStateException | WorkloadException e) {
      throw new Refused(WRONG_SETTINGS, String.valueOf(e.getMessage()), e);
    } catch (DriverException e) {
      throw new Refused(CANNOT_CONNECT, reason(e), e);
    }
  }

  /** Returns the reason of one node in a line. */
  private static String reason(DriverException failure) {
    if (failure instanceof AllNodesFailedException all) {
      for (Map.Entry<Node, List<Throwable>> node : all.getAllErrors().entrySet()) {
        for (Throwable error : node.getValue()) {
          return error instanceof AuthenticationException
              ? "cassandra.username, cassandra.password: " + error.getMessage()
              : "hosts: " + reason(node.getKey().getEndPoint(), error);
        }
      }
    }
    return "hosts: " + innermost(failure);
  }

  /**
   * Returns the reason why a node cannot be used, which the driver keeps apart if it is Netty's.
   */
  private static String reason(EndPoint node, Throwable error) {
    for (Throwable ofNetty : error.getSuppressed()) {
      return String.valueOf(ofNetty.getMessage());
    }
    return node + ": " + innermost(error);
  }

  private static String innermost(Throwable error) {
    Throwable inner = error;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    if (inner instanceof UnknownHostException) {
      return "the host is unknown";
    }
    return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
  }
}
