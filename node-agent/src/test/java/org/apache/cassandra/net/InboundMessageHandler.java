package org.apache.cassandra.net;

public final class InboundMessageHandler {
  private InboundMessageHandler() {}

  public static final class ProcessSmallMessage implements Runnable {
    private final Message message;

    public ProcessSmallMessage(Message message) {
      this.message = message;
    }

    @Override
    public void run() {
      throw new AssertionError("not in this test: " + message.payload);
    }
  }

  public static final class ProcessLargeMessage implements Runnable {
    private final Message.Header head;

    public ProcessLargeMessage(Message.Header head) {
      this.head = head;
    }

    Message.Header header() {
      return head;
    }

    @Override
    public void run() {
      throw new AssertionError("not in this test: " + header().verb);
    }
  }
}
