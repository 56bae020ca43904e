package io.sluice.execute.reply;

import io.sluice.accept.ReplyTo;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;

/**
 * The table of errors: what a client is told for each thing that can go wrong. Stateless and safe
 * for any thread.
 *
 * <table>
 * <caption>Failures and their errors</caption>
 * <tr><th>failure</th><th>read</th><th>write</th><th>TRUNCATE</th><th>schema change, or not
 *     understood</th><th>anything else</th></tr>
 * <tr><td>overloaded</td><td colspan="5">OVERLOADED</td></tr>
 * <tr><td>unreachable</td><td colspan="2">UNAVAILABLE</td><td colspan="3">SERVER_ERROR</td></tr>
 * <tr><td>unknown</td><td>READ_TIMEOUT</td><td>WRITE_TIMEOUT</td><td>TRUNCATE_ERROR</td>
 *     <td>WRITE_TIMEOUT</td><td>SERVER_ERROR</td></tr>
 * <tr><td>refused</td><td colspan="5">the node's own code</td></tr>
 * <tr><td>internal</td><td colspan="5">SERVER_ERROR</td></tr>
 * </table>
 *
 * <p>Drivers try a request again at another node after SERVER_ERROR, and after a WRITE_TIMEOUT of a
 * batch log: neither is told of a request that may have changed something.
 */
public final class Replier {

  /**
   * Answers with an error.
   *
   * @param replicas how many nodes own a row of what is asked; 0 where that is not known
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

  private static Frame error(
      int version, RequestKind kind, int consistency, int required, Failure failure) {
    String message = failure.message();
    if (failure instanceof Failure.Overloaded) {
      return CqlCodec.error(version, ErrorCode.OVERLOADED, message);
    }
    if (failure instanceof Failure.Refused refused) {
      return CqlCodec.error(version, refused.errorCode(), message);
    }
    if (failure instanceof Failure.Unreachable && isOfRows(kind)) {
      return CqlCodec.unavailable(version, message, consistency, required, 0);
    }
    if (failure instanceof Failure.Unknown) {
      return unknown(version, kind, consistency, required, message);
    }
    return CqlCodec.error(version, ErrorCode.SERVER_ERROR, message);
  }

  private static boolean isOfRows(RequestKind kind) {
    return switch (kind) {
      case TRUNCATE, CHANGE, OTHER -> false;
      default -> true;
    };
  }

  private static Frame unknown(
      int version, RequestKind kind, int consistency, int required, String message) {
    return switch (kind) {
      case READ -> CqlCodec.readTimeout(version, message, consistency, 0, required);
      case TRUNCATE -> CqlCodec.error(version, ErrorCode.TRUNCATE_ERROR, message);
      case OTHER -> CqlCodec.error(version, ErrorCode.SERVER_ERROR, message);
      default ->
          CqlCodec.writeTimeout(version, message, consistency, 0, required, kind.writeType());
    };
  }
}
