package io.sluice.host.join;

import io.sluice.host.jvm.JvmBeans;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The JMX port of a node.
 *
 * @param address its host and port, {@code host:port}
 * @param login the login to use; null if the port asks for none
 */
public record JmxPort(String address, @Nullable Login login) {

  /** A user and its password. */
  public record Login(String user, String password) {
    /** Returns the user without the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  JvmBeans connect() throws IOException {
    return login == null
        ? JvmBeans.atPort(address)
        : JvmBeans.atPort(address, login.user(), login.password());
  }
}
