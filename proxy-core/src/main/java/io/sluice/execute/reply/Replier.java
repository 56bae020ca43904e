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
 * <tr><th>failure</th><th>read</th><th>write</th><th>anything else</th></tr>
 * <tr><td>overloaded</td><td colspan="3">OVERLOADED</td></tr>
 * <tr><td>unreachable</td><td colspan="2">UNAVAILABLE</td><td>SERVER_ERROR</td></tr>
 * <tr><td>unknown</td><td>READ_TIMEOUT</td><td>WRITE_TIMEOUT</td><td>SERVER_ERROR</td></tr>
 * <tr><td>refused</td><td colspan="3">the node's own code</td></tr>
 * <tr><td>internal</td><td colspan="3">SERVER_ERROR</td></tr>
 * </table>
 */
public final class Replier {

  /** The proxy cannot know how many replicas a level needs; at least one did not answer. */
  private static final int AT_LEAST_ONE = 1;

  /** Answers with an error. */
  public void fail(
      ReplyTo replyTo, int version, RequestKind kind, int consistency, Failure failure) {
    replyTo.reply(error(version, kind, consistency, failure));
  }

  private static Frame error(int version, RequestKind kind, int consistency, Failure failure) {
    if (failure instanceof Failure.Overloaded) {
      return CqlCodec.error(version, ErrorCode.OVERLOADED, failure.message());
    }
    if (failure instanceof Failure.Refused refused) {
      return CqlCodec.error(version, refused.errorCode(), failure.message());
    }
    if (failure instanceof Failure.Unreachable && kind != RequestKind.OTHER) {
      return CqlCodec.unavailable(version, failure.message(), consistency, AT_LEAST_ONE, 0);
    }
    if (failure instanceof Failure.Unknown && kind != RequestKind.OTHER) {
      return timeout(version, kind, consistency, failure.message());
    }
    return CqlCodec.error(version, ErrorCode.SERVER_ERROR, failure.message());
  }

  private static Frame timeout(int version, RequestKind kind, int consistency, String message) {
    return kind == RequestKind.READ
        ? CqlCodec.readTimeout(version, message, consistency, 0, AT_LEAST_ONE)
        : CqlCodec.writeTimeout(version, message, consistency, 0, AT_LEAST_ONE, kind.writeType());
  }
}
