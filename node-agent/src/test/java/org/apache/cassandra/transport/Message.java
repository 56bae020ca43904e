package org.apache.cassandra.transport;

import java.nio.ByteBuffer;
import java.util.Map;

public abstract class Message {
  private final Map<String, ByteBuffer> payload;

  Message(Map<String, ByteBuffer> payload) {
    this.payload = payload;
  }

  public Map<String, ByteBuffer> getCustomPayload() {
    return payload;
  }

  public static class Request extends Message {
    public Request(Map<String, ByteBuffer> payload) {
      super(payload);
    }
  }
}
