package io.sluice.host.jvm;

import java.io.ObjectInputFilter;

/**
 * The classes of which answers by JMX consist. Objects of others are not created: this process is
 * often root's, and any user can start a JVM that looks like a node.
 */
final class AnswerFilter {
  private static final String PATTERN =
      String.join(
          ";",
          "maxdepth=20",
          "maxrefs=100000",
          "maxarray=10000",
          "maxbytes=4194304",
          "java.lang.*",
          "java.util.*",
          "java.io.*",
          "javax.management.*",
          "javax.management.openmbean.*",
          "javax.management.remote.*",
          "javax.management.remote.rmi.RMIServerImpl_Stub",
          "javax.management.remote.rmi.RMIConnectionImpl_Stub",
          // Exceptions and stubs, but no object that opens a port when it is read.
          "java.rmi.*",
          "java.rmi.dgc.*",
          "java.rmi.server.ObjID",
          "java.rmi.server.RemoteObject",
          "java.rmi.server.RemoteStub",
          "java.rmi.server.UID",
          "javax.rmi.ssl.SslRMIClientSocketFactory",
          // The cause of a refused login.
          "javax.security.auth.login.*",
          "!*");

  private AnswerFilter() {}

  /**
   * Sets the filter for all objects that this JVM reads, because neither JMX nor RMI takes one for
   * a connection. Keeps a filter that the operator has set.
   */
  static synchronized void set() {
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      ObjectInputFilter.Config.setSerialFilter(ObjectInputFilter.Config.createFilter(PATTERN));
    }
  }
}
