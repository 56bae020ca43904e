package io.sluice.testcontainers;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.output.Slf4jLogConsumer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * Sluice in a container, in front of Cassandra in other containers of the same network. The start
 * ends when Sluice can serve requests, and fails when Sluice ends. Its log goes to the logger of
 * this class.
 *
 * <p>It needs contact points, or a configuration file at {@code /etc/sluice/sluice.yml}.
 *
 * <p>Clients are told to connect to the published address, so Sluice serves clients outside the
 * containers' network.
 */
public final class SluiceContainer extends GenericContainer<SluiceContainer> {
  private static final int CQL_PORT = 9042;
  private static final int ADMIN_PORT = 9043;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  /**
   * The start script waits for this file, because the published port is known only when the
   * container runs.
   */
  private static final String ADVERTISED = "/tmp/advertised";

  private static final String START =
      "until [ -s "
          + ADVERTISED
          + " ]; do sleep 0.05; done; export SLUICE_ADVERTISE=$(cat "
          + ADVERTISED
          + "); exec /opt/sluice/bin/sluice server /etc/sluice/sluice.yml";

  private static final String CONTACT_POINTS = "SLUICE_CONTACT_POINTS";
  private static final String CONFIGURATION = "/etc/sluice";

  private final List<String> copied = new ArrayList<>();
  private String localDatacenter = "datacenter1";

  /**
   * Creates a container of the image with that name.
   *
   * @param image a name as for {@code docker run}
   */
  public SluiceContainer(String image) {
    this(DockerImageName.parse(image));
  }

  /** Creates a container of that image. */
  public SluiceContainer(DockerImageName image) {
    super(image);
    withExposedPorts(CQL_PORT, ADMIN_PORT);
    withCreateContainerCmdModifier(command -> command.withEntrypoint("sh", "-c", START));
    withLogConsumer(new Slf4jLogConsumer(LoggerFactory.getLogger(SluiceContainer.class)));
    waitingFor(new ReadyOrEnded(ADMIN_PORT, START_LIMIT));
  }

  /**
   * Sets the cluster to serve. Start its containers first, or name them by {@code dependsOn}.
   *
   * @param network the network of the nodes, which this container joins
   * @param contactPoints one or more nodes, "host:port" with their names in that network
   */
  public SluiceContainer withCassandra(Network network, String... contactPoints) {
    return withNetwork(network).withEnv(CONTACT_POINTS, String.join(",", contactPoints));
  }

  /** Sets the data centre whose nodes get the requests; "datacenter1" by default. */
  public SluiceContainer withLocalDatacenter(String datacenter) {
    localDatacenter = datacenter;
    return this;
  }

  /**
   * Returns the address for clients.
   *
   * @throws IllegalStateException when the container is not running
   */
  public InetSocketAddress getContactPoint() {
    return new InetSocketAddress(getHost(), getMappedPort(CQL_PORT));
  }

  /** Returns the data centre for a driver's settings, which is that of the nodes. */
  public String getLocalDatacenter() {
    return localDatacenter;
  }

  @Override
  public SluiceContainer withCopyFileToContainer(MountableFile file, String containerPath) {
    copied.add(containerPath);
    return super.withCopyFileToContainer(file, containerPath);
  }

  @Override
  public SluiceContainer withCopyToContainer(Transferable content, String containerPath) {
    copied.add(containerPath);
    return super.withCopyToContainer(content, containerPath);
  }

  @Override
  protected void configure() {
    if (!getEnvMap().containsKey(CONTACT_POINTS) && !hasConfiguration()) {
      throw new ContainerLaunchException(
          "There are no contact points: call withCassandra, or copy a configuration file to"
              + " /etc/sluice/sluice.yml");
    }
    withEnv("SLUICE_LOCAL_DC", localDatacenter);
  }

  private boolean hasConfiguration() {
    Stream<String> mounts = getBinds().stream().map(each -> each.getVolume().getPath());
    return Stream.concat(copied.stream(), mounts).anyMatch(path -> path.startsWith(CONFIGURATION));
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
