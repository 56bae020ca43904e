package org.apache.cassandra.db.streaming;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.util.List;
import org.apache.cassandra.db.lifecycle.LogReplica;
import org.apache.cassandra.io.util.ChecksumWriter;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.io.util.FileOutputStreamPlus;
import org.apache.cassandra.io.util.FileUtils;
import org.apache.cassandra.io.util.SequentialWriter;
import org.apache.cassandra.streaming.StreamMessageHeader;
import org.apache.cassandra.streaming.StreamSession;

/** A stand-in for Cassandra's class: writes one file while it reads, and another at the end. */
public class CassandraIncomingFile {
  public SequentialWriter data;
  public FileOutputStreamPlus filter;

  /** The path of the checksum; none if empty. */
  public String checksum = "";

  public final ChecksumWriter checksumWriter = new ChecksumWriter();

  /** The path of the component list; none if empty. */
  public String list = "";

  @SuppressWarnings("UnusedVariable") // read by the agent
  private final StreamSession session;

  @SuppressWarnings("UnusedVariable") // read by the agent
  private final StreamMessageHeader header;

  private final String path;

  public CassandraIncomingFile(StreamSession session, String path) {
    this.session = session;
    this.header = new StreamMessageHeader();
    this.path = path;
  }

  public synchronized void read(Object in, int version) throws Exception {
    new LogReplica(path).append("add:" + path);
    data = new SequentialWriter(path);
    data.sync();
  }

  void finish() throws Exception {
    data.sync();
    filter = new FileOutputStreamPlus(new File(path), "OVERWRITE");
    filter.sync();
    if (!checksum.isEmpty()) {
      checksumWriter.writeFullChecksum(new File(checksum));
    }
    if (!list.isEmpty()) {
      FileUtils.write(new File(list), List.of("Data.db"), CREATE, APPEND);
    }
  }
}
