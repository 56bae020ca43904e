package io.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import org.junit.jupiter.api.Test;

class RequestFailureTest {
  @Test
  void a_timeout_is_a_timeout_on_either_side() {
    assertThat(RequestFailure.of(new DriverTimeoutException("20 s")))
        .isEqualTo(RequestFailure.TIMEOUT);
    assertThat(RequestFailure.of(new ReadTimeoutException(null, ConsistencyLevel.ONE, 0, 1, false)))
        .isEqualTo(RequestFailure.TIMEOUT);
    assertThat(
            RequestFailure.of(
                new WriteTimeoutException(
                    null, ConsistencyLevel.ONE, 0, 1, DefaultWriteType.SIMPLE)))
        .isEqualTo(RequestFailure.TIMEOUT);
  }

  @Test
  void a_refusal_of_a_node_keeps_its_reason() {
    assertThat(RequestFailure.of(new OverloadedException(null)))
        .isEqualTo(RequestFailure.OVERLOADED);
    assertThat(RequestFailure.of(new UnavailableException(null, ConsistencyLevel.ALL, 3, 2)))
        .isEqualTo(RequestFailure.UNAVAILABLE);
  }

  @Test
  void a_cluster_without_nodes_is_an_error() {
    assertThat(RequestFailure.of(new NoNodeAvailableException())).isEqualTo(RequestFailure.ERROR);
  }

  @Test
  void anything_else_is_an_error() {
    assertThat(RequestFailure.of(new ClosedConnectionException("gone")))
        .isEqualTo(RequestFailure.ERROR);
  }
}
