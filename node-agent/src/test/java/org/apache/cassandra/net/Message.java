package org.apache.cassandra.net;

import java.util.Map;

public final class Message {
  public final Header header;
  public final Object payload;

  public Message(Header header, Object payload) {
    this.header = header;
    this.payload = payload;
  }

  public static final class Header {
    public final Verb verb;
    public final String from;
    public final long expiresAtNanos;
    private final Map<String, byte[]> params;

    public Header(Verb verb, String from, long expiresAtNanos, Map<String, byte[]> params) {
      this.verb = verb;
      this.from = from;
      this.expiresAtNanos = expiresAtNanos;
      this.params = params;
    }

    public Map<String, byte[]> customParams() {
      return params;
    }
  }
}
