package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the one line that says why the cluster is not usable, and what to do. */
class ConnectFailureTest {

  private static final Node ONE = DriverMetadata.driverNode(1, null, "here", "rack");
  private static final Node TWO = DriverMetadata.driverNode(2, null, "here", "rack");
  private static final ClusterConfig.Credentials LOGIN =
      new ClusterConfig.Credentials("proxy", "secret");

  private static String explained(
      RuntimeException failure, ClusterConfig.@Nullable Credentials login) {
    return ConnectFailure.explain(FleetSessionTest.config(login), failure);
  }

  private static AllNodesFailedException failed(Throwable error) {
    return AllNodesFailedException.fromErrors(List.of(Map.entry(ONE, error)));
  }

  private static AuthenticationException refused() {
    return new AuthenticationException(ONE.getEndPoint(), "Bad credentials");
  }

  @Test
  void a_login_that_is_required_names_the_setting() {
    assertThat(explained(failed(refused()), null))
        .isEqualTo("the cluster requires a login; set cluster.credentials {username, password}");
  }

  @Test
  void a_login_that_was_refused_names_the_role_and_no_password() {
    assertThat(explained(failed(refused()), LOGIN))
        .startsWith("cluster.credentials: proxy was refused: ")
        .endsWith("Bad credentials")
        .doesNotContain("secret");
  }

  @Test
  void a_refused_login_is_the_reason_whatever_another_node_did() {
    AllNodesFailedException all =
        AllNodesFailedException.fromErrors(
            List.of(
                Map.entry(ONE, new IOException("reset")),
                Map.entry(ONE, refused()),
                Map.entry(TWO, new IOException("reset"))));
    assertThat(explained(all, LOGIN)).startsWith("cluster.credentials: proxy was refused: ");
  }

  @Test
  void nodes_that_cannot_be_queried_are_named_with_their_last_failure() {
    AllNodesFailedException all =
        AllNodesFailedException.fromErrors(
            List.of(
                Map.entry(ONE, new IOException("first")),
                Map.entry(ONE, new IOException("reset")),
                Map.entry(TWO, new ClosedChannelException())));
    assertThat(explained(all, null))
        .startsWith("cluster.contactPoints: none can be queried: ")
        .contains("/10.0.0.1:9042 (reset)")
        .contains("/10.0.0.2:9042 (the connection was closed)")
        .contains("), /10.0.0.");
  }

  @Test
  void a_cluster_without_a_live_node_has_no_node_to_name() {
    assertThat(explained(new NoNodeAvailableException(), null))
        .isEqualTo("the cluster cannot be queried: none of its nodes is up");
  }

  @Test
  void any_other_failure_is_told_by_its_innermost_cause() {
    IOException cause = new IOException("Too many open files");
    assertThat(explained(new ConnectionInitException("cannot open", cause), null))
        .isEqualTo("the cluster cannot be queried: Too many open files");
  }

  static Stream<Map.Entry<Throwable, String>> reasons() {
    return Stream.of(
        Map.entry(new IOException("reset"), "reset"),
        Map.entry(new IOException("outer", new IOException("inner")), "inner"),
        Map.entry(new IOException("outer", new IOException()), "outer"),
        Map.entry(new IOException(), "IOException"),
        Map.entry(
            new IllegalStateException((String) null, new IOException()), "IllegalStateException"),
        Map.entry(new ClosedChannelException(), "the connection was closed"),
        Map.entry(
            new IOException("outer", new ClosedChannelException()), "the connection was closed"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void a_reason_is_the_message_of_the_innermost_cause_that_has_one(
      Map.Entry<Throwable, String> reason) {
    assertThat(ConnectFailure.reason(reason.getKey())).isEqualTo(reason.getValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "east | east      | ''",
        "east | west,east | ''",
        "east | West      | but the cluster has West; did you mean West?",
        "west | West,East | but the cluster has East, West; did you mean West?",
        "moon | west,east | but the cluster has east, west",
        "moon | none      | but the cluster has ",
      })
  void a_data_centre_that_the_cluster_lacks_is_named_beside_those_that_it_has(
      String wanted, @Nullable String known, String end) {
    List<Node> nodes =
        known == null
            ? List.of()
            : Stream.of(known.split(",", -1))
                .<Node>map(each -> DriverMetadata.driverNode(1, null, each, "rack"))
                .toList();
    String expected = end.isEmpty() ? "" : "cluster.localDatacenter is " + wanted + ", " + end;
    assertThat(ConnectFailure.wrongDatacenter(wanted, nodes).strip()).isEqualTo(expected.strip());
  }

  @Test
  void a_node_whose_data_centre_is_unknown_is_in_none() {
    var node = DriverMetadata.driverNode(1, null, "east", "rack");
    DriverMetadata.set(node, "datacenter", null);
    assertThat(ConnectFailure.wrongDatacenter("east", List.of(node)))
        .isEqualTo("cluster.localDatacenter is east, but the cluster has ");
  }
}
