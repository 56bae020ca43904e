package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One node of a cluster without tables that speaks just enough of protocol 4 for a driver to
 * connect: it lets everybody in, describes itself, and knows no peers.
 */
final class FakeCassandra implements AutoCloseable {

  private static final int ERROR = 0x00;
  private static final int STARTUP = 0x01;
  private static final int READY = 0x02;
  private static final int OPTIONS = 0x05;
  private static final int SUPPORTED = 0x06;
  private static final int QUERY = 0x07;
  private static final int RESULT = 0x08;
  private static final int REGISTER = 0x0b;
  private static final int VARCHAR = 0x0d;
  private static final int UUID = 0x0c;
  private static final int INET = 0x10;
  private static final int SET_OF_VARCHAR = 0x22;

  private final ServerSocket server;
  private final String datacenter;

  FakeCassandra(int port, String datacenter) throws IOException {
    this.datacenter = datacenter;
    this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    Thread acceptor = new Thread(this::accept, "fake-cassandra");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Thread thread = new Thread(() -> serve(client), "fake-cassandra-client");
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void serve(Socket client) {
    try (client) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(client.getOutputStream());
      while (true) {
        int version = in.readUnsignedByte();
        in.readUnsignedByte();
        int stream = in.readUnsignedShort();
        int opcode = in.readUnsignedByte();
        byte[] body = in.readNBytes(in.readInt());
        Body answer = version == 4 ? answer(opcode, body) : unsupported();
        out.write(answer.frame(stream));
        out.flush();
      }
    } catch (IOException gone) {
      return;
    }
  }

  private Body answer(int opcode, byte[] request) throws IOException {
    return switch (opcode) {
      case OPTIONS -> new Body(SUPPORTED).number(0, 2);
      case STARTUP, REGISTER -> new Body(READY);
      case QUERY -> answer(new String(request, UTF_8).toLowerCase(Locale.ROOT));
      default -> new Body(ERROR).number(0x000a, 4).text("not known here");
    };
  }

  private static Body unsupported() throws IOException {
    return new Body(ERROR)
        .number(0x000a, 4)
        .text("Invalid or unsupported protocol version (5); supported versions are (4/v4)");
  }

  private Body answer(String query) throws IOException {
    if (query.contains("system.local")) {
      return self();
    }
    return query.contains("peers_v2")
        ? new Body(ERROR).number(0x2200, 4).text("unconfigured table peers_v2")
        : rows(Map.of("none", VARCHAR), 0);
  }

  private Body self() throws IOException {
    Map<String, Integer> columns = new TreeMap<>();
    List.of("cluster_name", "cql_version", "data_center", "key", "partitioner", "rack")
        .forEach(name -> columns.put(name, VARCHAR));
    columns.put("host_id", UUID);
    columns.put("release_version", VARCHAR);
    columns.put("rpc_address", INET);
    columns.put("schema_version", UUID);
    columns.put("tokens", SET_OF_VARCHAR);
    Body row = rows(columns, 1);
    byte[] uuid = {1, 2, 3, 4, 5, 6, 0x40, 8, (byte) 0x80, 10, 11, 12, 13, 14, 15, 16};
    return row.value("Fake".getBytes(UTF_8))
        .value("3.4.7".getBytes(UTF_8))
        .value(datacenter.getBytes(UTF_8))
        .value(uuid)
        .value("local".getBytes(UTF_8))
        .value("org.apache.cassandra.dht.Murmur3Partitioner".getBytes(UTF_8))
        .value("rack1".getBytes(UTF_8))
        .value("5.0.9".getBytes(UTF_8))
        .value(InetAddress.getLoopbackAddress().getAddress())
        .value(uuid)
        .value(new byte[] {0, 0, 0, 1, 0, 0, 0, 1, '0'});
  }

  private static Body rows(Map<String, Integer> columns, int rows) throws IOException {
    Body body = new Body(RESULT).number(2, 4).number(1, 4).number(columns.size(), 4);
    body.text("system").text("t");
    for (Map.Entry<String, Integer> column : columns.entrySet()) {
      boolean set = column.getValue() == SET_OF_VARCHAR;
      body.text(column.getKey()).number(column.getValue(), 2);
      if (set) {
        body.number(VARCHAR, 2);
      }
    }
    return body.number(rows, 4);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /** One answer, written field by field. */
  private static final class Body {
    private final int opcode;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    Body(int opcode) {
      this.opcode = opcode;
    }

    Body number(int value, int width) throws IOException {
      if (width == 2) {
        out.writeShort(value);
      } else {
        out.writeInt(value);
      }
      return this;
    }

    Body text(String value) throws IOException {
      out.writeUTF(value);
      return this;
    }

    Body value(byte[] value) throws IOException {
      out.writeInt(value.length);
      out.write(value);
      return this;
    }

    byte[] frame(int stream) throws IOException {
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      DataOutputStream head = new DataOutputStream(frame);
      head.writeByte(0x84);
      head.writeByte(0);
      head.writeShort(stream);
      head.writeByte(opcode);
      head.writeInt(bytes.size());
      bytes.writeTo(head);
      return frame.toByteArray();
    }
  }
}
