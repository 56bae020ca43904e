package io.sluice.rawcql;

import io.netty.buffer.ByteBuf;
import java.io.IOException;

/** The transport of frames over one connection, one request and one response at a time. */
interface Transport {
  /** Sends a frame and waits for its response. */
  ByteBuf exchange(ByteBuf frame) throws IOException;
}
