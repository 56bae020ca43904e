package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.sluice.testkit.CapturedLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the log lines about permissions that the role of the proxies lacks. */
class RefusalsTest {

  private static final Node NODE = new DriverMetadata().node(1, "here", "rack");

  @RegisterExtension final CapturedLog log = CapturedLog.of(Refusals.class);

  private final Refusals refusals =
      new Refusals(new ClusterConfig.Credentials("a \"b\"", "secret"));

  private static CompletableFuture<Integer> refused() {
    return CompletableFuture.failedFuture(new UnauthorizedException(NODE, "no SELECT"));
  }

  @Test
  void each_lacking_permission_is_logged_once_with_what_to_do() {
    refusals.logged(Grant.INDEXES, refused());
    refusals.logged(Grant.INDEXES, refused());
    assertThat(log.warnings())
        .containsExactly(
            "no SELECT; the answer to CREATE INDEX does not wait for the index. An administrator"
                + " may GRANT SELECT ON system.\"IndexInfo\" TO \"a \"\"b\"\"\"");
    refusals.logged(Grant.SETTINGS, refused());
    assertThat(log.warnings()).hasSize(2);
  }

  @Test
  void a_refusal_is_known_by_its_cause() {
    refusals.logged(Grant.SETTINGS, refused().thenApply(rows -> rows + 1));
    assertThat(log.warnings()).hasSize(1);
  }

  @Test
  void an_answer_and_any_other_failure_are_passed_on_without_a_line() {
    Exception other = new CompletionException(new InvalidQueryException(NODE, "no such table"));
    assertThat(refusals.logged(Grant.SETTINGS, CompletableFuture.completedFuture(7)))
        .isCompletedWithValue(7);
    assertThat(refusals.logged(Grant.SETTINGS, CompletableFuture.failedFuture(other)))
        .isCompletedExceptionally();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void nothing_can_be_granted_to_a_proxy_without_a_role() {
    new Refusals(null).logged(Grant.SETTINGS, refused());
    assertThat(log.lines()).isEmpty();
  }
}
