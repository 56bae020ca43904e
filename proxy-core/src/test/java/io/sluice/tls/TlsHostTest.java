package io.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.tls.TlsConfig.HostCheck;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the host name that a node's certificate is compared with. */
class TlsHostTest {

  @TempDir private Path folder;

  private String host(HostCheck check) throws UnknownHostException {
    TestCertificates authority = new TestCertificates();
    TlsConfig config =
        TestCertificates.nodes(
            TestCertificates.write(folder, "tls", authority.issue()),
            authority.writeAuthority(folder),
            check);
    InetAddress address = InetAddress.getByAddress("node.example", new byte[] {127, 0, 0, 7});
    try (Tls tls = Tls.load(config)) {
      return tls.engine(ByteBufAllocator.DEFAULT, new InetSocketAddress(address, 9042))
          .getPeerHost();
    }
  }

  /** A name may come from a reverse lookup, which is not trustworthy. */
  @Test
  void the_host_is_the_nodes_address_whatever_its_name_is() throws Exception {
    assertThat(host(HostCheck.ADDRESS)).isEqualTo("127.0.0.7");
  }

  @Test
  void the_host_is_the_configured_name() throws Exception {
    assertThat(host(new HostCheck(true, "cluster.example"))).isEqualTo("cluster.example");
  }
}
