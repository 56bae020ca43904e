package io.sluice.execute.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/** One node in memory, and a request to execute a prepared statement there. */
abstract class AttemptFixture {

  static final int VERSION = 4;
  static final PreparedId ID = TestFrames.id("read");
  static final Node NODE =
      new Node(
          new NodeId(new UUID(0, 1)),
          InetSocketAddress.createUnresolved("n1", 9042),
          "dc1",
          "r1",
          true);

  final TestLane lane = new TestLane();
  final MemoryNodes nodes = new MemoryNodes(lane);
  final Frame request = execute();

  @AfterEach
  void the_request_is_released() {
    nodes.close();
    assertThat(TestFrames.isReleased(request)).as("the request is released").isTrue();
  }

  static Frame execute() {
    return TestFrames.request(VERSION, 9, new Execute(TestFrames.bytes(ID), QueryOptions.DEFAULT));
  }

  /** Returns the next request to the node, and checks its opcode. */
  final MemoryNodes.Asked asked(int opcode) {
    MemoryNodes.Asked next = Objects.requireNonNull(nodes.next(1), "nothing was sent");
    assertThat(next.request().opcode()).isEqualTo(opcode);
    return next;
  }
}
