package io.sluice.exchange.range;

import io.sluice.execute.reply.Failure;
import io.sluice.wire.Frame;
import java.util.function.Consumer;

/** The error with which a piece has ended: a node's or the proxy's own. */
sealed interface PieceError {

  /** An error that a node has answered. Owns the frame. */
  record OfNode(Frame frame) implements PieceError {
    @Override
    public boolean isFault() {
      return false;
    }

    @Override
    public void deliver(Consumer<Frame> ofNode, Consumer<Failure> ofProxy) {
      ofNode.accept(frame);
    }

    @Override
    public void release() {
      frame.release();
    }
  }

  /** A failure that the proxy has found. */
  record OfProxy(Failure failure) implements PieceError {
    @Override
    public boolean isFault() {
      return failure instanceof Failure.Internal;
    }

    @Override
    public void deliver(Consumer<Frame> ofNode, Consumer<Failure> ofProxy) {
      ofProxy.accept(failure);
    }

    @Override
    public void release() {
      // Nothing is held.
    }
  }

  /** Whether the proxy is at fault, so that the state of the page is not certain. */
  boolean isFault();

  /** Passes the error, with its frame, to one of the two. */
  void deliver(Consumer<Frame> ofNode, Consumer<Failure> ofProxy);

  /** Releases the error, which is not needed. */
  void release();
}
