package io.sluice.host.join;

import io.sluice.host.jvm.JvmBeans;
import io.sluice.host.jvm.PortTls;
import java.io.IOException;
import java.security.cert.Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JMX port of a node.
 *
 * @param address its host and port, {@code host:port}
 * @param login the login to use; null if the port asks for none
 * @param tls the TLS to use; null if the port has none
 */
public record JmxPort(String address, @Nullable Login login, @Nullable Tls tls) {

  /** A user and its password. */
  public record Login(String user, String password) {
    /** Returns the user without the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  /**
   * TLS to a port.
   *
   * @param authorities those that may issue the port's certificate; empty for those that this JVM
   *     trusts by default
   */
  public record Tls(List<? extends Certificate> authorities) {}

  JvmBeans connect() throws IOException {
    return JvmBeans.atPort(
        address,
        login == null ? List.of() : List.of(login.user(), login.password()),
        tls == null ? null : new PortTls(tls.authorities()));
  }
}
