package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The answers to one request, of which a test reads the only one. */
abstract class ReceivedAnswer implements ReplyTo {
  private final BlockingQueue<Frame> answers = new LinkedBlockingQueue<>();
  volatile boolean open = true;

  /** The message of the error in the answer. */
  String words = "";

  /** Whether the test has ended, so that answers are not read any more. */
  abstract boolean isOver();

  /** Waits until the request holds nothing any more. */
  abstract void awaitEnd();

  @Override
  public void reply(Frame answer) {
    answers.add(answer);
    if (isOver()) {
      releaseAll();
    }
  }

  /** Releases the answers that the test has not read. */
  void releaseAll() {
    for (Frame next = answers.poll(); next != null; next = answers.poll()) {
      next.release();
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  boolean isAnswered() {
    return !answers.isEmpty();
  }

  /** Returns the rows of the answer; checks the same as {@link #answer}. */
  TestRows.Read page() throws InterruptedException {
    Frame frame = answers.poll(10, TimeUnit.SECONDS);
    assertThat(frame).as("answer within 10 s").isNotNull();
    assertThat(said(frame)).isEqualTo("rows");
    TestRows.Read read = TestRows.read(frame);
    frame.release();
    settled();
    return read;
  }

  /** Returns the rows of the answer while other requests are in flight. */
  TestRows.Read pageMeanwhile() throws InterruptedException {
    Frame frame = answers.poll(10, TimeUnit.SECONDS);
    assertThat(frame).as("answer within 10 s").isNotNull();
    TestRows.Read read = TestRows.read(frame);
    frame.release();
    return read;
  }

  /** Returns the same as {@link #answer}, while other requests are in flight. */
  String answerMeanwhile() throws InterruptedException {
    Frame frame = answers.poll(10, TimeUnit.SECONDS);
    assertThat(frame).as("answer within 10 s").isNotNull();
    String said = said(frame);
    frame.release();
    return said;
  }

  /** Returns the warnings of the answer while other requests are in flight. */
  List<String> warningsMeanwhile() throws InterruptedException {
    Frame frame = answers.poll(10, TimeUnit.SECONDS);
    assertThat(frame).as("answer within 10 s").isNotNull();
    assertThat(said(frame)).isEqualTo("rows");
    List<String> warnings = TestFrames.warnings(frame);
    frame.release();
    return warnings;
  }

  private void settled() {
    awaitEnd();
    assertThat(answers).as("further answers").isEmpty();
  }

  /** Returns the only answer: {@code rows}, an error's code, or an opcode. */
  String answer() throws InterruptedException {
    Frame frame = answers.poll(10, TimeUnit.SECONDS);
    assertThat(frame).as("answer within 10 s").isNotNull();
    String said = said(frame);
    words = Answers.errorCode(frame) < 0 ? "" : Answers.errorMessage(frame);
    frame.release();
    settled();
    return said;
  }

  private static String said(Frame frame) {
    int error = Answers.errorCode(frame);
    if (error >= 0) {
      return "%04x".formatted(error);
    }
    return Answers.isRows(frame) ? "rows" : "opcode " + frame.opcode();
  }
}
