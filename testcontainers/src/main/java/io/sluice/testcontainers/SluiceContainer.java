package io.sluice.testcontainers;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.slf4j.LoggerFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.output.Slf4jLogConsumer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * Sluice in a container, in front of Cassandra in other containers of the same network. It has
 * started when it can serve requests; what it logs goes to the logger of this class.
 *
 * <p>Clients of every driver are told the published address, so it serves clients outside the
 * containers' network.
 */
public final class SluiceContainer extends GenericContainer<SluiceContainer> {
  private static final int CQL_PORT = 9042;
  private static final int ADMIN_PORT = 9043;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  /** The published port is known only when the container runs: it waits for this file. */
  private static final String ADVERTISED = "/tmp/advertised";

  private static final String START =
      "until [ -s "
          + ADVERTISED
          + " ]; do sleep 0.05; done; export SLUICE_ADVERTISE=$(cat "
          + ADVERTISED
          + "); exec /opt/sluice/bin/sluice server /etc/sluice/sluice.yml";

  private String localDatacenter = "datacenter1";

  /**
   * A container of the image of that name.
   *
   * @param image a name as {@code docker run} takes it
   */
  public SluiceContainer(String image) {
    this(DockerImageName.parse(image));
  }

  /** A container of that image. */
  public SluiceContainer(DockerImageName image) {
    super(image);
    withExposedPorts(CQL_PORT, ADMIN_PORT);
    withCreateContainerCmdModifier(command -> command.withEntrypoint("sh", "-c", START));
    withLogConsumer(new Slf4jLogConsumer(LoggerFactory.getLogger(SluiceContainer.class)));
    waitingFor(Wait.forHttp("/readyz").forPort(ADMIN_PORT).withStartupTimeout(START_LIMIT));
  }

  /**
   * The cluster to serve. Start its containers first, or name them by {@code dependsOn}.
   *
   * @param network that the nodes are in; this container joins it
   * @param contactPoints one node or more, "host:port" as they are called in that network
   */
  public SluiceContainer withCassandra(Network network, String... contactPoints) {
    return withNetwork(network).withEnv("SLUICE_CONTACT_POINTS", String.join(",", contactPoints));
  }

  /** The data centre whose nodes get the requests; "datacenter1" if this is never called. */
  public SluiceContainer withLocalDatacenter(String datacenter) {
    localDatacenter = datacenter;
    return this;
  }

  /**
   * Where clients connect.
   *
   * @throws IllegalStateException when the container is not running
   */
  public InetSocketAddress getContactPoint() {
    return new InetSocketAddress(getHost(), getMappedPort(CQL_PORT));
  }

  /** The data centre to give to a driver: the one of the nodes. */
  public String getLocalDatacenter() {
    return localDatacenter;
  }

  @Override
  protected void configure() {
    withEnv("SLUICE_LOCAL_DC", localDatacenter);
  }

  @Override
  protected void containerIsStarting(InspectContainerResponse info) {
    InetSocketAddress published = getContactPoint();
    InetAddress address = published.getAddress();
    if (address == null) {
      throw new ContainerLaunchException(
          "The Docker host's name cannot be resolved", new UnknownHostException(getHost()));
    }
    String host = address.getHostAddress();
    String literal = host.contains(":") ? "[" + host + "]" : host;
    copyFileToContainer(Transferable.of(literal + ":" + published.getPort()), ADVERTISED);
  }
}
