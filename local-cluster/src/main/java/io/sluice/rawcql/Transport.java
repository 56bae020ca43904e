package io.sluice.rawcql;

import io.netty.buffer.ByteBuf;
import java.io.IOException;

/** The transport of frames over one connection, one request and one response at a time. */
interface Transport {
  /** Sends a frame and waits for the frame that answers it. */
  ByteBuf exchange(ByteBuf frame) throws IOException;
}
