package io.sluice.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.command.CreateContainerCmd;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.Network;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.MountableFile;

/** Tests the definition of the container, for which no engine has to run. */
class SluiceContainerTest {

  private final SluiceContainer container = new SluiceContainer("sluice:0.1.0");

  /** A network that no engine has created. */
  private static final class NamedNetwork implements Network {

    @Override
    public String getId() {
      return "nodes";
    }

    @Override
    public void close() {
      // There is nothing to remove.
    }
  }

  /** Returns the entry point that the container would be created with. */
  private List<String> entryPoint() {
    List<String> words = new ArrayList<>();
    CreateContainerCmd command =
        (CreateContainerCmd)
            Proxy.newProxyInstance(
                CreateContainerCmd.class.getClassLoader(),
                new Class<?>[] {CreateContainerCmd.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("withEntrypoint")) {
                    words.addAll(List.of((String[]) arguments[0]));
                  }
                  return self;
                });
    container.getCreateContainerCmdModifiers().forEach(modifier -> modifier.modify(command));
    return words;
  }

  @Test
  void the_ports_for_clients_and_for_operators_are_published() {
    assertThat(container.getExposedPorts()).containsExactlyInAnyOrder(9042, 9043);
  }

  @Test
  void the_nodes_are_named_to_the_image_by_its_variable() {
    Network network = new NamedNetwork();

    container.withCassandra(network, "cassandra1:9042", "cassandra2:9042");

    assertThat(container.getNetwork()).isSameAs(network);
    assertThat(container.getEnvMap())
        .containsEntry("SLUICE_CONTACT_POINTS", "cassandra1:9042,cassandra2:9042");
  }

  @Test
  void the_data_centre_is_that_of_a_single_one_unless_it_is_set() {
    container.withEnv("SLUICE_CONTACT_POINTS", "cassandra:9042");
    container.configure();
    assertThat(container.getLocalDatacenter()).isEqualTo("datacenter1");
    assertThat(container.getEnvMap()).containsEntry("SLUICE_LOCAL_DC", "datacenter1");

    container.withLocalDatacenter("north").configure();
    assertThat(container.getLocalDatacenter()).isEqualTo("north");
    assertThat(container.getEnvMap()).containsEntry("SLUICE_LOCAL_DC", "north");
  }

  @Test
  void a_container_without_contact_points_and_configuration_is_not_started() {
    assertThatThrownBy(container::configure)
        .isInstanceOf(ContainerLaunchException.class)
        .hasMessageContaining("call withCassandra")
        .hasMessageContaining("/etc/sluice/sluice.yml");
  }

  @Test
  void a_configuration_file_of_the_test_needs_no_contact_points() {
    String file = "/etc/sluice/sluice.yml";

    assertConfigured(each -> each.withCopyToContainer(Transferable.of("cluster: {}"), file));
    assertConfigured(each -> each.withCopyFileToContainer(MountableFile.forHostPath("."), file));
    assertConfigured(each -> each.withFileSystemBind(".", "/etc/sluice", BindMode.READ_ONLY));
    SluiceContainer other = new SluiceContainer("sluice:0.1.0");
    other.withCopyToContainer(Transferable.of("x"), "/etc/other");
    assertThatThrownBy(other::configure).isInstanceOf(ContainerLaunchException.class);
  }

  private static void assertConfigured(Consumer<SluiceContainer> given) {
    SluiceContainer configured = new SluiceContainer("sluice:0.1.0");
    given.accept(configured);
    configured.configure();

    assertThat(configured.getEnvMap()).containsKey("SLUICE_LOCAL_DC");
  }

  @Test
  void the_proxy_starts_when_it_knows_the_published_address() {
    assertThat(entryPoint()).startsWith("sh", "-c").hasSize(3);
    assertThat(entryPoint().get(2))
        .startsWith("until [ -s /tmp/advertised ]")
        .contains("export SLUICE_ADVERTISE=$(cat /tmp/advertised)")
        .endsWith("exec /opt/sluice/bin/sluice server /etc/sluice/sluice.yml");
  }
}
