package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.classify.StatementShape;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.reply.Replier;
import io.sluice.execute.reply.RequestKind;
import io.sluice.memory.OutOfMemory;
import io.sluice.meter.ProxyMeters;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.statement.Statement.Execution;
import io.sluice.statement.StatementReader;
import io.sluice.watch.Cluster;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles each answer before the client gets it. Records a new keyspace or a new prepared id, and
 * holds the answer to a schema change until schema agreement.
 */
public final class ResponseHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ResponseHandler.class);

  private final StatementReader reader;
  private final Cluster cluster;
  private final Replier replier = new Replier();
  private final ProxyMeters meters;
  private final SchemaHomes schemaHomes;

  public ResponseHandler(
      StatementReader reader, Cluster cluster, ProxyMeters meters, SchemaHomes schemaHomes) {
    this.reader = reader;
    this.cluster = cluster;
    this.meters = meters;
    this.schemaHomes = schemaHomes;
  }

  /**
   * Sends a node's answer to the client, {@code nanos} after the request arrived. Takes the frame
   * over.
   */
  void answer(ClientRequest request, Statement statement, Frame frame, long nanos) {
    String role = request.client().identity().role();
    meters.answered(statement, role, Answers.errorCode(frame), nanos);
    StatementShape shape = statement.classified().shape();
    Execution executes = statement.executes();
    if (executes != null && reader.isOutOfDate(statement, request.client(), frame)) {
      frame.release();
      request.replyTo().reply(CqlCodec.unprepared(request.client().version(), executes.id()));
      return;
    }
    if (statement.prepares() != null) {
      prepared(request, statement, frame);
      return;
    }
    if (shape == StatementShape.USE) {
      use(request, frame);
    } else if ((shape == StatementShape.SCHEMA || shape == StatementShape.OTHER)
        && Answers.isSchemaChange(frame)) {
      holdUntilAgreement(request, frame);
      return;
    }
    request.replyTo().reply(frame);
  }

  private void prepared(ClientRequest request, Statement statement, Frame frame) {
    String wrong =
        Answers.isPrepared(frame)
            ? reader.prepared(statement, request.client(), frame, cluster.view())
            : null;
    if (wrong == null) {
      request.replyTo().reply(frame);
    } else {
      frame.release();
      int version = request.client().version();
      request.replyTo().reply(CqlCodec.error(version, ErrorCode.INVALID, wrong));
    }
  }

  private static void use(ClientRequest request, Frame frame) {
    if (Answers.isSetKeyspace(frame)) {
      request.client().keyspace(Answers.keyspace(frame));
    }
  }

  /**
   * Holds the answer until schema agreement of all live nodes, because drivers use a new table at
   * once, on any node.
   */
  private void holdUntilAgreement(ClientRequest request, Frame frame) {
    SchemaHomes.Change change = schemaHomes.lastChange(request.client());
    cluster
        .agreement()
        .whenComplete(
            (agreed, failure) -> {
              onAgreement(request, change, Boolean.TRUE.equals(agreed));
              request.replyTo().reply(frame);
            });
  }

  private void onAgreement(
      ClientRequest request, SchemaHomes.@Nullable Change change, boolean agreed) {
    if (!request.replyTo().isOpen()) {
      schemaHomes.forget(request.client());
    } else if (change != null && agreed) {
      schemaHomes.agreed(request.client(), change);
    } else if (change != null) {
      schemaHomes.notAgreed(request.client(), change);
    }
  }

  /** Returns the metrics of requests. */
  public ProxyMeters meters() {
    return meters;
  }

  /** Logs {@code cause} in one line and returns the failure of the request. */
  Failure fault(Throwable cause) {
    OutOfMemory.handOn(cause);
    StackTraceElement[] trace = cause.getStackTrace();
    LOG.error("Cannot handle a request: {} at {}", cause, trace.length == 0 ? "?" : trace[0]);
    return new Failure.Internal("Sluice failed to handle the request: " + cause);
  }

  /** Answers a request that no exchange has taken over with an error, and releases its frame. */
  public void refuse(ClientRequest request, @Nullable Statement statement, Throwable cause) {
    request.frame().release();
    broke(request, statement, cause);
  }

  /** Answers with an error after a fault, which may have come after the answer was counted. */
  void broke(ClientRequest request, @Nullable Statement statement, Throwable cause) {
    Failure failure = fault(cause);
    meters.failed(failure, statement);
    reply(request, statement, failure);
  }

  /** Answers with an error of the proxy's own, {@code nanos} after the request arrived. */
  void fail(ClientRequest request, Statement statement, Failure failure, long nanos) {
    meters.failed(failure, statement, nanos);
    if (failure instanceof Failure.Refused refused
        && refused.errorCode() == ErrorCode.BAD_CREDENTIALS) {
      reply(request, statement, loginLost(refused));
      request.client().end();
    } else {
      reply(request, statement, failure);
    }
  }

  /**
   * Returns the error for a client whose credentials no longer open links, because its password has
   * changed or its role was dropped. Only a new login can help.
   */
  private static Failure loginLost(Failure.Refused refused) {
    return new Failure.Refused(
        refused.errorCode(),
        "The cluster does not accept this connection's login any more, so Sluice closes it; connect"
            + " again. The node says: "
            + refused.message());
  }

  private void reply(ClientRequest request, @Nullable Statement statement, Failure failure) {
    replier.fail(
        request.replyTo(),
        request.client().version(),
        statement == null ? RequestKind.OTHER : statement.kind(),
        statement == null ? 0 : statement.consistency(),
        statement == null ? 0 : replicas(statement),
        failure);
  }

  /**
   * Returns the number of replicas of a row; 0 when unknown. A fault here must not take the error
   * response with it.
   */
  private int replicas(Statement statement) {
    try {
      Ring.Replicas owners =
          statement.ring(cluster.view().ring()).owners(statement.classified().keyspace());
      return owners == null ? 0 : owners.count();
    } catch (RuntimeException | Error e) {
      OutOfMemory.handOn(e);
      LOG.error("Cannot count the replicas for an error response: {}", String.valueOf(e));
      return 0;
    }
  }
}
