package io.sluice.wire;

import org.jspecify.annotations.Nullable;

/**
 * The memory for answers that arrive in parts on one connection. Called on the connection's event
 * loop only.
 */
public interface AnswerMemory {

  /** Memory without a limit. */
  AnswerMemory UNLIMITED =
      new AnswerMemory() {
        @Override
        public @Nullable Refusal reserve(long bytes) {
          return null;
        }

        @Override
        public void release() {
          // Nothing is counted.
        }
      };

  /**
   * Reserves memory for an answer before it is allocated. No other reservation exists.
   *
   * @param bytes the memory that the answer needs
   * @return null when the memory is reserved, until {@link #release}; otherwise the error for the
   *     request
   */
  @Nullable Refusal reserve(long bytes);

  /** Ends the reservation, if there is one. Called before the answer is passed on. */
  void release();

  /**
   * The reason why an answer is not read.
   *
   * @param code the error code for the request
   * @param message the message for the client
   */
  record Refusal(int code, String message) {}
}
