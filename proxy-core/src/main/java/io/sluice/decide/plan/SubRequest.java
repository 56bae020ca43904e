package io.sluice.decide.plan;

/**
 * One piece with how much of it is asked for.
 *
 * @param piece where
 * @param rows rows it is asked for at most, more than 0; {@link #ALL} for all it has
 */
public record SubRequest(Piece piece, int rows) {

  /** As many rows as there are. */
  public static final int ALL = Integer.MAX_VALUE;

  /**
   * What is still worth asking for when the request's turn has come.
   *
   * @param wanted rows the whole read wanted when this request was made
   * @param earlier rows that the pieces before this one have returned since then
   * @return rows to ask for; 0 when nothing is missing any more and it need not be sent
   */
  public int rowsAtDispatch(int wanted, long earlier) {
    return wanted == ALL ? rows : (int) Math.max(0, Math.min(rows, wanted - earlier));
  }
}
