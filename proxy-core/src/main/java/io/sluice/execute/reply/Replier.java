package io.sluice.execute.reply;

import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;

/**
 * Maps each failure to the CQL error that the client gets. Stateless and safe for any thread.
 *
 * <table>
 * <caption>Failures and their errors</caption>
 * <tr><th>failure</th><th>read</th><th>write</th><th>TRUNCATE</th><th>schema change,
 *     write to a node's own table, or not understood</th><th>anything else</th></tr>
 * <tr><td>overloaded</td><td colspan="5">OVERLOADED</td></tr>
 * <tr><td>unreachable</td><td colspan="2">UNAVAILABLE</td><td colspan="3">SERVER_ERROR</td></tr>
 * <tr><td>unknown</td><td>READ_TIMEOUT</td><td>WRITE_TIMEOUT</td><td>TRUNCATE_ERROR</td>
 *     <td>WRITE_TIMEOUT</td><td>SERVER_ERROR</td></tr>
 * <tr><td>refused</td><td colspan="5">the node's own code</td></tr>
 * <tr><td>internal</td><td>SERVER_ERROR</td><td>WRITE_TIMEOUT</td><td>TRUNCATE_ERROR</td>
 *     <td>WRITE_TIMEOUT</td><td>SERVER_ERROR</td></tr>
 * </table>
 *
 * <p>Drivers retry a request at another node after SERVER_ERROR, and after a WRITE_TIMEOUT of a
 * batch log. Neither error is used for a request that may have changed data.
 */
public final class Replier {

  /**
   * Answers with an error.
   *
   * @param replicas the number of replicas of a row; 0 when unknown
   */
  public void fail(
      ReplyTo replyTo,
      int version,
      RequestKind kind,
      int consistency,
      int replicas,
      Failure failure) {
    int required = Consistency.required(consistency, replicas);
    replyTo.reply(error(version, kind, consistency, required, failure));
  }

  /** Returns the code of the error that a client gets for a failure. */
  public static int code(RequestKind kind, Failure failure) {
    if (failure instanceof Failure.Overloaded) {
      return ErrorCode.OVERLOADED;
    } else if (failure instanceof Failure.Refused refused) {
      return refused.errorCode();
    } else if (failure instanceof Failure.Unreachable && isOfRows(kind)) {
      return ErrorCode.UNAVAILABLE;
    }
    boolean mayHaveTakenEffect =
        failure instanceof Failure.Unknown
            || (failure instanceof Failure.Internal && kind != RequestKind.READ);
    return mayHaveTakenEffect ? unknown(kind) : ErrorCode.SERVER_ERROR;
  }

  private static boolean isOfRows(RequestKind kind) {
    return switch (kind) {
      case TRUNCATE, CHANGE, OTHER -> false;
      default -> true;
    };
  }

  private static int unknown(RequestKind kind) {
    return switch (kind) {
      case READ -> ErrorCode.READ_TIMEOUT;
      case TRUNCATE -> ErrorCode.TRUNCATE_ERROR;
      case OTHER -> ErrorCode.SERVER_ERROR;
      default -> ErrorCode.WRITE_TIMEOUT;
    };
  }

  private static Frame error(
      int version, RequestKind kind, int consistency, int required, Failure failure) {
    String message = failure.message();
    int code = code(kind, failure);
    return switch (code) {
      case ErrorCode.UNAVAILABLE ->
          CqlCodec.unavailable(version, message, consistency, required, 0);
      case ErrorCode.READ_TIMEOUT ->
          CqlCodec.readTimeout(version, message, consistency, 0, required);
      case ErrorCode.WRITE_TIMEOUT ->
          CqlCodec.writeTimeout(version, message, consistency, 0, required, kind.writeType());
      default -> CqlCodec.error(version, code, message);
    };
  }
}
