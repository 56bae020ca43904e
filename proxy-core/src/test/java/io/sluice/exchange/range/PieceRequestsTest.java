package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.ReadTemplate;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the requests for the pieces of a page: their text, their values, and their prepared id. */
class PieceRequestsTest {

  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final PreparedId ID = TestFrames.id("0123456789abcdef");
  private static final Piece FIRST = piece(null, 100L);
  private static final Piece SECOND = piece(100L, 200L);
  private static final Piece LAST = piece(200L, null);
  private static final String OF_V = "SELECT k FROM ks.t WHERE v = ? ALLOW FILTERING";

  private final PageContexts contexts =
      new PageContexts(
          new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, true), 1 << 20);

  /** The requests that were read, and the client's prepared one. */
  private final List<Frame> frames = new ArrayList<>();

  @AfterEach
  void nothing_is_left() {
    contexts.close();
    frames.forEach(Frame::release);
  }

  private static Piece piece(@Nullable Long after, @Nullable Long upTo) {
    return new Piece(
        new TokenRange(
            after == null ? null : new Token.Murmur3(after),
            upTo == null ? null : new Token.Murmur3(upTo)),
        List.of(ONE),
        5);
  }

  private Node node() {
    return Objects.requireNonNull(contexts.fixture.context.view().ring().node(ONE));
  }

  private static Frame request(String cql, int... values) {
    return TestFrames.request(4, 0, new Query(cql, options(values)));
  }

  private static QueryOptions options(int... values) {
    List<ByteBuffer> bound =
        Arrays.stream(values).mapToObj(value -> ByteBuffer.allocate(4).putInt(0, value)).toList();
    return new QueryOptions(
        1, bound, Map.of(), false, 7, null, 8, Long.MIN_VALUE, null, Integer.MIN_VALUE);
  }

  private PieceRequests requests(Frame request) {
    return contexts.context(contexts.page(request), contexts.split()).requests();
  }

  private CqlRequest read(Frame made) {
    frames.add(made);
    return Objects.requireNonNull(CqlRequest.of(made));
  }

  private CqlRequest.Query text(PieceRequests requests, Piece piece) {
    return (CqlRequest.Query) read(requests.frame(piece, node(), 7, null, false));
  }

  private static List<Long> values(CqlRequest.Query query) {
    return values(query.parameters());
  }

  private static List<Long> values(CqlRequest.Parameters parameters) {
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < parameters.values().count(); i++) {
      ByteBuffer value = Objects.requireNonNull(parameters.values().get(i));
      values.add(value.remaining() == 8 ? value.getLong(0) : value.getInt(0));
    }
    return values;
  }

  @Test
  void a_piece_is_bound_by_its_tokens() {
    PieceRequests requests = requests(request(ALL));
    assertThat(values(text(requests, FIRST))).containsExactly(100L);
    assertThat(values(text(requests, SECOND))).containsExactly(100L, 200L);
    assertThat(values(text(requests, LAST))).containsExactly(200L);
    assertThat(text(requests, SECOND).cql()).contains("> ?").contains("<= ?");
    assertThat(text(requests, LAST).cql()).contains("> ?").doesNotContain("<= ?");
  }

  @Test
  void a_request_continues_at_the_paging_state_with_its_page_size() {
    PieceRequests requests = requests(request(ALL));
    ByteBuffer nodeState = ByteBuffer.allocate(3).put(1, (byte) 8);
    var from = (CqlRequest.Query) read(requests.frame(FIRST, node(), 19, nodeState, false));
    assertThat(from.parameters().pageSize()).isEqualTo(19);
    assertThat(from.parameters().pagingState()).isEqualTo(nodeState);
    assertThat(text(requests, FIRST).parameters().pagingState()).isNull();
  }

  @Test
  void values_of_the_client_come_before_the_tokens() {
    assertThat(values(text(requests(request(OF_V, 42)), SECOND))).containsExactly(42L, 100L, 200L);
  }

  /** Cassandra restarts from the beginning when the page size is not below the LIMIT. */
  @Test
  void the_limit_of_a_piece_is_above_any_page_size() {
    assertThat(values(text(requests(request(ALL + " LIMIT 50")), FIRST)))
        .containsExactly(100L, (long) Integer.MAX_VALUE);
  }

  /** Returns the requests of a page that the client asks for by a prepared id. */
  private PieceRequests prepared() {
    Frame execute = TestFrames.request(4, 0, new Execute(TestFrames.bytes(ID), options()));
    frames.add(execute);
    PageContext text = contexts.context(contexts.page(request(ALL)), contexts.split());
    return new PageContext(
            text.context(),
            text.split(),
            text.page(),
            text.plan(),
            text.density(),
            ReadTemplate.of(execute),
            text.query(),
            null)
        .requests();
  }

  private void nodePrepares() {
    MemoryNodes.Asked asked = Objects.requireNonNull(contexts.fixture.nodes.next(1));
    assertThat(CqlRequest.of(asked.request())).isInstanceOf(CqlRequest.Prepare.class);
    asked.answer(TestFrames.prepared(4, ID));
  }

  @Test
  void a_piece_of_a_prepared_statement_is_executed_once_its_text_is_prepared() {
    PieceRequests requests = prepared();
    assertThat(values(text(requests, FIRST))).containsExactly(100L);
    nodePrepares();

    CqlRequest read = read(requests.frame(FIRST, node(), 19, null, false));

    assertThat(read)
        .isInstanceOfSatisfying(
            CqlRequest.Execute.class,
            made -> {
              assertThat(made.id()).isEqualTo(ID);
              assertThat(made.parameters().pageSize()).isEqualTo(19);
              assertThat(values(made.parameters())).containsExactly(100L);
            });
    assertThat(read(requests.frame(FIRST, node(), 19, null, true)))
        .as("on request as text")
        .isInstanceOf(CqlRequest.Query.class);
  }

  @Test
  void a_forgotten_id_is_not_executed() {
    PieceRequests requests = prepared();
    text(requests, FIRST);
    nodePrepares();
    requests.forgetPrepared(FIRST);
    text(requests, FIRST);
    nodePrepares();
  }

  @Test
  void the_statement_of_a_client_that_prepares_nothing_is_not_prepared() {
    text(requests(request(ALL)), FIRST);
    assertThat(contexts.fixture.nodes.next(1)).isNull();
  }

  @Test
  void pieces_that_differ_in_their_tokens_only_may_share_a_scan() {
    PieceRequests.ShareKey key = requests(request(ALL)).shareKey(piece(0L, 100L));
    assertThat(requests(request(ALL)).shareKey(SECOND)).isEqualTo(key);
    assertThat(requests(TestFrames.page(ALL, 90, null)).shareKey(SECOND)).isEqualTo(key);
  }

  @Test
  void pieces_of_other_statements_or_values_share_no_scan() {
    PieceRequests.ShareKey key = requests(request(OF_V, 42)).shareKey(SECOND);
    assertThat(requests(request(OF_V, 42)).shareKey(SECOND)).isEqualTo(key);
    assertThat(requests(request(OF_V, 43)).shareKey(SECOND)).isNotEqualTo(key);
    assertThat(requests(request(ALL)).shareKey(SECOND)).isNotEqualTo(key);
    assertThat(key.link()).isEqualTo(contexts.page(request(ALL)).linkKey());
  }
}
